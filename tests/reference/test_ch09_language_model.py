"""The oracle of chapter 9, held against torch's own layers and losses, known sizes, and what the chapter prints."""

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import nn
from torch.nn import functional

from reference import ch09_language_model as reference
from reference.blocks import ArgMax, LanguageModel, ScriptedChoice
from tests.reference.drawing import normal

TIGHT = {"rtol": 0, "atol": 1e-10}
V, LONGEST, D, H, F = 13, 7, 12, 3, 20
IDS = torch.tensor([[1, 2, 3, 12, 5, 6], [8, 0, 3, 7, 7, 7]])
FOUR = torch.tensor([[0.4, 0.3, 0.2, 0.1]], dtype=torch.float64)


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    """One thread: small tensors only wait for a second one."""
    torch.manual_seed(9)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def a_model(num_blocks: int = 2) -> reference.CausalLM:
    """In float64 and evaluation, with random numbers also where it begins with zeros and ones."""
    model = reference.CausalLM(V, LONGEST, D, H, F, num_blocks).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(normal(*parameter.shape) / (parameter.shape[-1] ** 0.5 if parameter.dim() > 1 else 1))
    return model


def layer_like(block: nn.Module) -> nn.TransformerEncoderLayer:
    """One block as torch's own; in training mode, where torch takes no short cut, and with dropout 0."""
    theirs = nn.TransformerEncoderLayer(
        D, H, F, dropout=0.0, activation="gelu", batch_first=True, norm_first=True, dtype=torch.float64
    )
    inside = (block.attention.w_q, block.attention.w_k, block.attention.w_v)
    with torch.no_grad():
        theirs.self_attn.in_proj_weight.copy_(torch.cat([layer.weight for layer in inside]))
        theirs.self_attn.in_proj_bias.copy_(torch.cat([layer.bias for layer in inside]))
    pairs = (
        (theirs.self_attn.out_proj, block.attention.w_o),
        (theirs.linear1, block.feed_forward[0]),
        (theirs.linear2, block.feed_forward[2]),
        (theirs.norm1, block.norm1),
        (theirs.norm2, block.norm2),
    )
    for their, our in pairs:
        their.load_state_dict(our.state_dict())
    return theirs


def test_pairs_are_what_the_chapter_prints() -> None:
    words = "the ferry is late again today".split()
    inputs, labels = reference.next_token_pairs(torch.arange(6)[None])
    assert [words[i] for i in inputs[0]] == "the ferry is late again".split()
    assert [words[i] for i in labels[0]] == "ferry is late again today".split()


def test_every_row_has_its_own_pairs() -> None:
    inputs, labels = reference.next_token_pairs(IDS)
    assert inputs.tolist() == [[1, 2, 3, 12, 5], [8, 0, 3, 7, 7]]
    assert labels.tolist() == [[2, 3, 12, 5, 6], [0, 3, 7, 7, 7]]


@pytest.mark.parametrize("num_blocks", [1, 3])
def test_the_model_is_torch_s_encoder_with_a_mask_between_two_uses_of_one_table(num_blocks: int) -> None:
    model = a_model(num_blocks)
    table, positions = model.embedding.token.weight, model.embedding.position.weight
    x = table[IDS] + positions[:6]
    for block in model.blocks:
        x = layer_like(block)(x, src_mask=torch.ones(6, 6, dtype=torch.bool).triu(1))
    x = functional.layer_norm(x, (D,), model.norm.weight, model.norm.bias)
    torch.testing.assert_close(model(IDS), x @ table.T, **TIGHT)


def test_the_table_s_gradient_comes_from_both_ends() -> None:
    model = a_model(1)
    table = model.embedding.token.weight
    weight = normal(2, 6, V)
    (together,) = torch.autograd.grad((model(IDS) * weight).sum(), table)

    def alone(going_in: bool) -> torch.Tensor:
        free = table.detach().clone().requires_grad_()
        tables = (free, table.detach()) if going_in else (table.detach(), free)
        x = layer_like(model.blocks[0])(
            tables[0][IDS] + model.embedding.position.weight[:6], src_mask=torch.ones(6, 6, dtype=torch.bool).triu(1)
        )
        return torch.autograd.grad((model.norm(x) @ tables[1].T * weight).sum(), free)[0]

    torch.testing.assert_close(together, alone(True) + alone(False), **TIGHT)


def test_logits_know_nothing_of_later_tokens() -> None:
    model = a_model()
    torch.testing.assert_close(model(IDS)[:, :4], model(IDS[:, :4]), **TIGHT)


def test_the_smallest_gpt_2_has_the_known_number_of_parameters() -> None:
    """124,439,808 in the published weights; the output would have 38.6 million more."""
    with torch.device("meta"):
        model = reference.CausalLM(50257, 1024, 768, 12, 3072, 12)
    assert sum(parameter.numel() for parameter in model.parameters()) == 124_439_808
    assert model.embedding.token.weight.numel() == 38_597_376  # almost a third of it
    assert model.max_length == 1024


@pytest.mark.parametrize("ignore_id", [-100, 7, 0])
def test_perplexity_is_e_to_torch_s_cross_entropy(ignore_id: int) -> None:
    logits = normal(2, 6, V).requires_grad_()
    labels = IDS.masked_fill(IDS == 7, ignore_id)
    ours = reference.perplexity(logits, labels, ignore_id)
    theirs = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignore_id).exp()
    torch.testing.assert_close(ours, theirs, **TIGHT)
    torch.testing.assert_close(torch.autograd.grad(ours, logits), torch.autograd.grad(theirs, logits), **TIGHT)


def test_perplexity_counts_the_faces_of_a_die() -> None:
    assert reference.perplexity(torch.zeros(2, 6, V, dtype=torch.float64), IDS).item() == pytest.approx(V, abs=1e-10)
    sure = functional.one_hot(IDS, V).double() * 1e3
    assert reference.perplexity(sure, IDS).item() == 1.0
    tossed = FOUR.log().expand(1, 4, 4)
    by_hand = (0.4 * 0.3 * 0.2 * 0.1) ** (-1 / 4)
    assert reference.perplexity(tossed, torch.arange(4)[None]).item() == pytest.approx(by_hand, abs=1e-10)


@pytest.mark.parametrize(
    ("knobs", "printed"),
    [
        ({}, [0.40, 0.30, 0.20, 0.10]),
        ({"temperature": 0.5}, [0.53, 0.30, 0.13, 0.03]),
        ({"temperature": 0}, [1, 0, 0, 0]),
        ({"top_k": 3}, [0.44, 0.33, 0.22, 0]),
        ({"top_p": 0.6}, [0.57, 0.43, 0, 0]),
        ({"top_k": 3, "top_p": 0.75}, [0.57, 0.43, 0, 0]),
    ],
)
def test_the_knobs_do_what_the_chapter_prints(knobs: dict[str, float], printed: list[float]) -> None:
    assert reference.next_token_distribution(FOUR.log(), **knobs).numpy().round(2).tolist() == [printed]


def test_a_distribution_without_cuts_is_the_softmax() -> None:
    logits = normal(3, V)
    for temperature in (0.1, 1.0, 3.0):
        ours = reference.next_token_distribution(logits, temperature, top_k=V + 1, top_p=1.0)
        torch.testing.assert_close(ours, functional.softmax(logits / temperature, dim=-1), **TIGHT)


@pytest.mark.parametrize("top_k", [1, 4, V])
@pytest.mark.parametrize("top_p", [0.02, 0.37, 0.81])
def test_the_nucleus_is_the_smallest_set_that_reaches_p(top_k: int, top_p: float) -> None:
    """Every token's fate decided by going through the sorted row."""
    logits = normal(3, V) * 2
    expected = torch.zeros_like(logits)
    for row, kept in zip(logits, expected, strict=True):
        values, places = row.topk(top_k)
        weights = values.softmax(0).tolist()
        size = next(n for n in range(1, top_k + 1) if sum(weights[:n]) >= top_p or n == top_k)
        kept[places[:size]] = values[:size].softmax(0)
    torch.testing.assert_close(reference.next_token_distribution(logits, 1.0, top_k, top_p), expected, **TIGHT)


def a_writer(longest: int) -> LanguageModel:
    return LanguageModel(normal(V, V), normal(longest, V))


@pytest.mark.parametrize("length", [1, 4, 9])
def test_every_written_token_is_what_its_window_says(length: int) -> None:
    model, prompt = a_writer(5), torch.randint(V, (3, length))
    text = reference.generate(model, prompt, 8, ArgMax())
    assert torch.equal(text[:, :length], prompt)
    for end in range(length, length + 8):
        window = text[:, max(0, end - 5) : end]
        assert torch.equal(text[:, end], model(window)[:, -1].argmax(-1))


def test_no_step_gives_the_prompt_and_every_step_asks_once() -> None:
    model, script = a_writer(4), torch.randint(V, (6, 2))
    assert torch.equal(reference.generate(model, IDS, 0, ScriptedChoice(script[:0])), IDS)
    text = reference.generate(model, IDS, 6, ScriptedChoice(script))
    assert torch.equal(text, torch.cat([IDS, script.T], dim=1))


def learned(texts: list[str]) -> tuple[list[str], torch.Tensor, reference.CausalLM]:
    """A model that has read two sentences a hundred times."""
    words = sorted({word for text in texts for word in text.split()})
    ids = torch.tensor([[words.index(word) for word in text.split()] for text in texts])
    inputs, labels = reference.next_token_pairs(ids)
    model = reference.CausalLM(len(words), 8, width=16, num_heads=2, hidden=32, num_blocks=1, dropout=0.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(100):
        optimizer.zero_grad()
        functional.cross_entropy(model(inputs).transpose(1, 2), labels).backward()
        optimizer.step()
    return words, ids, model


def test_two_sentences_learned_by_heart_are_completed() -> None:
    texts = ["the tea is hot so wait a while", "the ice is soft so eat it fast"]
    words, ids, model = learned(texts)
    written = reference.generate(model, ids[:, :2], 6, lambda logits: logits.argmax(dim=-1))
    assert [" ".join(words[i] for i in row) for row in written] == texts
    inputs, labels = reference.next_token_pairs(ids)
    measured = reference.perplexity(model(inputs), labels).item()
    assert 2 ** (1 / 7) <= measured < 1.15
    assert f"{measured:.1f}" == "1.1"


def whole_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return functional.scaled_dot_product_attention(q, k, v, is_causal=True)


@pytest.mark.parametrize("lengths", [(6,), (1,) * 6, (4, 2), (1, 3, 2)])
def test_attention_in_chunks_is_torch_s_attention_all_at_once(lengths: tuple[int, ...]) -> None:
    q, k, v = (normal(2, 3, 6, 5).requires_grad_() for _ in range(3))
    outputs, cache = [], None
    for chunk in zip(*(tensor.split(lengths, dim=2) for tensor in (q, k, v)), strict=True):
        output, cache = reference.attend_with_cache(*chunk, cache)
        outputs.append(output)
    ours, theirs, weight = torch.cat(outputs, dim=2), whole_attention(q, k, v), normal(2, 3, 6, 5)
    torch.testing.assert_close(ours, theirs, **TIGHT)
    for mine, known in zip(*(torch.autograd.grad((x * weight).sum(), [q, k, v]) for x in (ours, theirs)), strict=True):
        torch.testing.assert_close(mine, known, **TIGHT)


def test_a_cache_is_left_as_it_was() -> None:
    first, second, third = (tuple(normal(2, 3, length, 4) for _ in range(3)) for length in (3, 2, 2))
    _, cache = reference.attend_with_cache(*first)
    before = [part.clone() for part in cache]
    reference.attend_with_cache(*second, cache)
    output, _ = reference.attend_with_cache(*third, cache)
    assert all(torch.equal(*pair) for pair in zip(cache, before, strict=True))
    joined = (torch.cat(pair, dim=2) for pair in zip(first, third, strict=True))
    torch.testing.assert_close(output, whole_attention(*joined)[:, :, 3:], **TIGHT)


def test_an_article_and_its_summary_are_what_the_chapter_prints() -> None:
    words = "<sep> <eos> fog lies on the sea and ferry stays in port no today".split()
    article, summary = (
        torch.tensor([words.index(word) for word in text.split()])
        for text in ("fog lies on the sea and the ferry stays in port", "no ferry today")
    )
    ids, loss_mask = reference.summarization_example(article, summary, separator_id=0, eos_id=1)
    expected = "fog lies on the sea and the ferry stays in port <sep> no ferry today <eos>"
    assert " ".join(words[i] for i in ids) == expected
    assert loss_mask.tolist() == [False] * 12 + [True] * 4
    inputs, labels = reference.next_token_pairs(ids[None])
    said = [(words[a], words[b]) for a, b in zip(inputs[loss_mask[None, 1:]], labels[loss_mask[None, 1:]], strict=True)]
    assert said == [("<sep>", "no"), ("no", "ferry"), ("ferry", "today"), ("today", "<eos>")]


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtype_and_device_are_those_of_the_arguments(device: str, dtype: torch.dtype) -> None:
    model = reference.CausalLM(V, LONGEST, D, H, F, 1).to(device=device, dtype=dtype)
    inputs, labels = reference.next_token_pairs(IDS.to(device))
    logits = model(inputs)
    q = torch.ones(2, 3, 4, 5, dtype=dtype, device=device)
    answers: list[Callable[[], torch.Tensor]] = [
        lambda: logits,
        lambda: reference.perplexity(logits, labels),
        lambda: reference.next_token_distribution(logits[:, -1], 0.7, 3, 0.9),
        lambda: reference.next_token_distribution(logits[:, -1], 0.0),
        lambda: reference.attend_with_cache(q, q, q, (q, q))[0],
    ]
    assert {(answer().dtype, answer().device.type) for answer in answers} == {(dtype, device)}
    ids, mask = reference.summarization_example(IDS[0].to(device), IDS[1].to(device), 0, 1)
    assert (ids.dtype, mask.dtype, ids.device.type, mask.device.type) == (torch.int64, torch.bool, device, device)
