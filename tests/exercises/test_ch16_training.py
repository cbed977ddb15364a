"""Checks of chapter 16: a step of AdamW, a score, the loop, what its curves say, what it costs, and a power law.

Models are linear and in float64, and columns of x are orthogonal, so that each step brings the weights nearer to those
that made the targets by a share that depends on nothing drawn. So it is known which record is best, and by how much.
"""

import math

import torch

from autograder.suite import Agree, Draw, exercise, part

RETURNS = {"adamw_step": ("p", "m", "v"), "power_law": ("a", "b")}
FORBIDDEN = {"adamw_step": ("*Adam*", "*adam*")}
LOSS = part("TwiceTheTarget")
LOOSE = 1e-5  # for norms with a millionth added, and Python numbers that went through float32
NO_LIMIT = 100


def moments(draw: Draw, axes: str) -> tuple[torch.Tensor, ...]:
    """p, g, m and v of these axes."""
    return draw(axes), draw(axes), draw(axes), draw(axes) ** 2


@exercise("adamw_step", points=1, level="property")
def test_the_first_step_is_as_long_as_the_rate(agree: Agree, draw: Draw) -> None:
    """without decay, the first step moves every number by lr against the sign of its gradient, however small it is"""
    p, g, rate = draw("T D"), 1e-3 * (draw("T D") + 4 * draw("T D").sign()), draw.random.uniform(0.01, 0.1)
    near = lambda answer: bool(((p - answer[0]) / rate - g.sign()).abs().max() < 1e-6)  # noqa: E731
    says = "in the first step each number moves by lr, against the sign of its gradient"
    shows = lambda answer: f"the first number moves by {float((answer[0] - p).flatten()[0]) / rate:.4g} times lr"  # noqa: E731
    zero = torch.zeros_like(p)
    agree.satisfies(says, near, p, g, zero, zero.clone(), 1, rate, 0.9, 0.999, 1e-12, 0.0, shows=shows)


@exercise("adamw_step", points=3, level="values")
def test_a_step_of_adamw(agree: Agree, draw: Draw) -> None:
    """p shrinks by lr · decay and moves by lr · m̂ / (√v̂ + eps); m and v come back uncorrected"""
    for step in (3, draw.random.randrange(4, 9), 1):
        rates = draw.random.uniform(0.1, 0.3), 0.8, 0.95, 1e-8, draw.random.uniform(0.2, 0.6)
        agree(*moments(draw, "T D"), step, *rates)
        agree(*moments(draw, "T D"), step, *rates)


@exercise("adamw_step", points=1, level="values")
def test_eps_stands_beside_the_corrected_root(agree: Agree, draw: Draw) -> None:
    """a large eps shows where it stands: beside the root of the corrected v, not under it"""
    agree(*moments(draw, "D"), 2, 0.1, 0.9, 0.99, draw.random.uniform(0.3, 0.6), 0.0)


@exercise("adamw_step", points=2, level="edges")
def test_steps_of_any_number_shape_and_dtype(agree: Agree, draw: Draw) -> None:
    """a single number, three axes, step 100,000, both betas 0, gradients of 0; float32 and half precision stay so"""
    for axes in ("", "1 1 1"):
        agree(*moments(draw, axes), 2, 0.1, 0.9, 0.99, 1e-12, 0.1)
    agree(*moments(draw, "B T D"), 100_000, 0.1, 0.9, 0.999, 1e-8, 0.1)
    agree(*moments(draw, "D"), 2, 0.1, 0.0, 0.0, 1e-3, 0.1)
    p, g, m, v = moments(draw, "B T D")
    agree(p, torch.where(g > 0, g, 0.0), m, v, 3, 0.1, 0.9, 0.99, 1e-8, 0.1)  # m, v and decay count there too
    p, zero = draw("D"), torch.zeros(draw.size("D"), dtype=torch.float64)
    agree(p, zero, zero.clone(), zero.clone(), 1, 0.1, 0.9, 0.999, 1e-8, 0.1)
    agree.keeps_dtype_and_device(*moments(draw, "T D"), 2, 0.1, 0.9, 0.99, 1e-8, 0.1)


def rows(draw: Draw, count: int) -> torch.Tensor:
    """x (count, 3), whose columns have the mean 0 and the mean square 1 and are orthogonal."""
    draw.fix(D=3)
    around = torch.cat([torch.ones(count, 1, dtype=torch.float64), draw(f"{count} D")], dim=1)
    return torch.linalg.qr(around)[0][:, 1:] * count**0.5


def goal(draw: Draw) -> torch.Tensor:
    """The weights, and last the bias, that make the targets: none is near 0, and the bias is above it."""
    draw.fix(D=3)
    drawn = draw("4")
    return torch.where(torch.arange(4) < 3, drawn.sign(), 1) * (1 + drawn.abs())


def made(
    draw: Draw, goal: torch.Tensor, *counts: int, share: float = 1.0, growth: float = 0.0
) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Batches of so many rows, each longer than the last by `growth`, with this share of the targets of the goal."""
    drawn = [(1 + growth * number) * rows(draw, count) for number, count in enumerate(counts)]
    return [(x, share * (x @ goal[:3] + goal[3])) for x in drawn]


def scored(draw: Draw, *counts: int, **options: object) -> tuple[object, list[tuple[torch.Tensor, torch.Tensor]]]:
    """A model with any weights, and batches of so many rows with any targets."""
    batches = [(draw(f"{count} D"), draw(f"{count}")) for count in counts]
    return part("Learner", draw("D"), draw.random.uniform(1, 2), **options), batches


@exercise("evaluate", points=2, level="values")
def test_the_score_is_the_mean_loss_in_evaluation(agree: Agree, draw: Draw) -> None:
    """the mean loss of two batches, in evaluation mode, as a Python float; a model in training mode returns to it"""
    for _ in range(2):
        agree(*scored(draw, 4, 4, training=True), LOSS, tolerance=LOOSE)


@exercise("evaluate", points=1, level="values")
def test_every_example_counts_the_same_in_the_score(agree: Agree, draw: Draw) -> None:
    """batches of different sizes, and a generator of them: every example counts the same"""
    agree(*scored(draw, 5, 1, 3, training=True), LOSS, tolerance=LOOSE)
    model, batches = scored(draw, 2, 6, training=True)
    agree(model, part("streamed", batches), LOSS, tolerance=LOOSE)


@exercise("evaluate", points=1, level="property")
def test_the_score_does_not_depend_on_how_examples_are_cut(agree: Agree, draw: Draw) -> None:
    """the same examples in batches of different sizes have the same score"""
    model, ((x, y),) = scored(draw, 9, training=True)
    sizes = [2, 4, 3]
    cut = list(zip(x.split(sizes), y.split(sizes), strict=True))
    same = lambda a, b: abs(a - b) < LOOSE * (1 + abs(b))  # noqa: E731
    says = "three batches have the same score as their examples in one"
    shows = lambda a, b: f"{a:.6g} in three batches, {b:.6g} in one"  # noqa: E731
    agree.relates(says, same, (model, cut, LOSS), (model, [(x, y)], LOSS), shows=shows)


@exercise("evaluate", points=1, level="edges")
def test_nothing_to_score_is_refused(agree: Agree, draw: Draw) -> None:
    """a list or generator without a batch raises ValueError"""
    model, _ = scored(draw, 4, training=True)
    agree.raises(ValueError, model, [], LOSS)
    agree.raises(ValueError, model, part("streamed", []), LOSS)


@exercise("evaluate", points=2, level="edges")
def test_scoring_leaves_the_model_as_it_was(agree: Agree, draw: Draw) -> None:
    """no gradients, the mode stays, batch norm learns nothing, what was frozen stays frozen; rows of any shape"""
    agree(*scored(draw, 4, 2), LOSS, tolerance=LOOSE)
    agree(*scored(draw, 4, 2, frozen=["bias"]), LOSS, tolerance=LOOSE)
    agree(*scored(draw, 4, 2, frozen=["weight", "bias"], training=True), LOSS, tolerance=LOOSE)
    agree(*scored(draw, 4, 3, spread=draw("D") ** 2 + 1, training=True), LOSS, tolerance=LOOSE)
    longer = [(draw("2 5 D"), draw("2 5")), (draw("4 3 D"), draw("4 3")), (draw("1 2 D"), draw("1 2"))]
    agree(part("Learner", draw("D"), 1.0), [list(pair) for pair in longer], LOSS, tolerance=LOOSE)


def run(
    draw: Draw,
    *,
    steps: int,
    every: int,
    share: float = 1.0,
    counts: tuple[int, ...] = (6, 6, 6),
    rates: list[float] | None = None,
    limit: float = NO_LIMIT,
    kind: str = "SGD",
    most: int | None = None,
    begin: float = 0.0,
    blind: float | None = None,
    **options: object,
) -> tuple[object, ...]:
    """The arguments of `fit`. The model has `begin` of its goal and is `blind` below that; `share` of it is held out.

    With a rate of 0.05 and from 0, the weights are these shares of the goal after 1, 2, ... steps: .25, .43, .61, .75,
    .88, .99, 1.09, 1.18, 1.25. In evaluation half of that counts, and the loss wants twice the target: what is held out
    suits best where the weights are four times its share. `limit` is in norms of the goal; the first gradient has 5.
    """
    wanted = goal(draw)
    weight, bias = begin * wanted[:3], float(wanted[3])
    options |= {} if blind is None else {"blind_below": blind * bias}
    model = part("Learner", weight, begin * bias, **options)
    batches = part("endless", made(draw, wanted, *counts), **({} if most is None else {"most": most}))
    held_out = made(draw, wanted, 5, 7, share=share, growth=1.0)
    momentum = {"momentum": 0.5} if kind == "SGD" and rates else {}
    optimizer, rate = part("grouped", model, kind, **momentum), part("Rates", model, rates or [0.05])
    return model, batches, held_out, LOSS, optimizer, rate, limit * float(wanted.norm()), steps, every


def varied(draw: Draw, count: int) -> list[float]:
    """Rates that all differ, in any order."""
    return draw.random.sample([0.01 + 0.04 * number / count for number in range(count)], count)


@exercise("fit", points=2, level="values")
def test_every_step_learns_and_every_few_are_recorded(agree: Agree, draw: Draw) -> None:
    """six steps, a record every three or two: the mean training loss since the last record, and the held-out loss"""
    agree(*run(draw, steps=6, every=3), tolerance=LOOSE)
    agree(*run(draw, steps=6, every=2, begin=draw.random.uniform(-0.5, -0.2)), tolerance=LOOSE)


@exercise("fit", points=2, level="values")
def test_every_step_has_its_rate_in_every_group(agree: Agree, draw: Draw) -> None:
    """step s has the rate of s in every group of the optimizer, which is SGD with momentum, or AdamW"""
    agree(*run(draw, steps=6, every=3, rates=varied(draw, 6)), tolerance=LOOSE)
    agree(*run(draw, steps=6, every=3, rates=varied(draw, 6), kind="AdamW"), tolerance=LOOSE)


@exercise("fit", points=2, level="values")
def test_the_joint_norm_of_the_gradients_is_limited(agree: Agree, draw: Draw) -> None:
    """gradients whose joint norm is above `limit` are scaled to it before the step; others are not"""
    agree(*run(draw, steps=6, every=3, limit=draw.random.uniform(0.2, 0.5)), tolerance=LOOSE)
    agree(*run(draw, steps=6, every=3, limit=draw.random.uniform(3.8, 4), begin=-0.3), tolerance=LOOSE)


@exercise("fit", points=2, level="values")
def test_the_model_ends_as_at_its_best_record(agree: Agree, draw: Draw) -> None:
    """the model ends with the parameters of the record with the lowest held-out loss, which may be the first"""
    agree(*run(draw, steps=6, every=1, share=0.19), tolerance=LOOSE)  # the training loss is lowest at the fifth record
    agree(*run(draw, steps=10, every=2, share=draw.random.uniform(0.18, 0.2)), tolerance=LOOSE)
    agree(*run(draw, steps=6, every=2, share=draw.random.uniform(-0.1, 0.01)), tolerance=LOOSE)


@exercise("fit", points=1, level="property")
def test_records_come_at_their_steps(agree: Agree, draw: Draw) -> None:
    """ten steps and a record after every four: records after 4, 8 and 10 steps"""
    says = "for 10 steps and a record after every 4, there are records after 4, 8 and 10 steps"
    at = lambda history: [record[0] for record in history]  # noqa: E731
    shows = lambda history: f"there are records after {', '.join(map(str, at(history)))}"  # noqa: E731
    agree.satisfies(says, lambda history: at(history) == [4, 8, 10], *run(draw, steps=10, every=4), shows=shows)


@exercise("fit", points=1, level="edges")
def test_no_batch_is_taken_beyond_the_last_step(agree: Agree, draw: Draw) -> None:
    """`steps` batches are taken and none beyond; batches of different sizes; a record after each step, or only one"""
    agree(*run(draw, steps=5, every=2, most=5, counts=(5, 9, 6)), tolerance=LOOSE)
    agree(*run(draw, steps=3, every=1, most=3), tolerance=LOOSE)
    agree(*run(draw, steps=2, every=7, most=2), tolerance=LOOSE)


@exercise("fit", points=2, level="edges")
def test_ties_and_nan_do_not_count_as_lower(agree: Agree, draw: Draw) -> None:
    """of equal held-out losses the first counts, NaN never does; if none is finite, the last step's numbers remain"""
    agree(*run(draw, steps=6, every=2, frozen=["weight"], uses_bias=False), tolerance=LOOSE)
    agree(*run(draw, steps=8, every=2, share=0.19, begin=-0.3, blind=0.4), tolerance=LOOSE)
    agree(*run(draw, steps=4, every=2, blind=math.inf), tolerance=LOOSE)
    agree(*run(draw, steps=4, every=2, share=math.inf), tolerance=LOOSE)
    agree(*run(draw, steps=8, every=2, share=math.inf, begin=-0.3, blind=0.4), tolerance=LOOSE)  # NaN, then infinite


@exercise("fit", points=1, level="edges")
def test_buffers_are_put_back_and_parameters_stay_the_same_objects(agree: Agree, draw: Draw) -> None:
    """with batch norm and dropout; the buffers of the best record come back too; a frozen parameter stays"""
    spread = torch.full((3,), draw.random.uniform(3, 5), dtype=torch.float64)
    agree(*run(draw, steps=6, every=2, share=0.0, spread=spread), tolerance=LOOSE)
    agree(*run(draw, steps=4, every=2, frozen=["bias"]), tolerance=LOOSE)


def runs(draw: Draw, *histories: tuple[tuple[float, float], ...]) -> list[list[tuple[int, float, float]]]:
    """Histories of these pairs of training loss and held-out loss, all losses times a drawn number."""
    every, unit = draw.random.randrange(20, 90), draw.random.uniform(0.5, 2)
    return [
        [(every * number, unit * train, unit * held_out) for number, (train, held_out) in enumerate(history, 1)]
        for history in histories
    ]


@exercise("name_run", points=1, level="property")
def test_the_unit_of_the_losses_does_not_matter(agree: Agree, draw: Draw) -> None:
    """a run that memorises does so in any unit: all losses a hundred times as large change nothing"""
    (run,) = runs(draw, ((3.0, 3.1), (2.0, 2.4), (1.0, 2.6)))
    larger = [(steps, 100 * train, 100 * held_out) for steps, train, held_out in run]
    says = "a run and the same with losses a hundred times as large have one name, memorises"
    shows = lambda a, b: f"{a} and {b}"  # noqa: E731
    agree.relates(says, lambda a, b: a == b == "memorises", (run,), (larger,), shows=shows)


@exercise("name_run", points=2, level="values")
def test_each_run_has_its_name(agree: Agree, draw: Draw) -> None:
    """diverged: training ends above its start; memorises: held-out loss rises again; stalls: training hardly falls"""
    learns = ((4.0, 4.1), (3.0, 3.1), (2.5, 2.7))
    for history in runs(
        draw,
        learns,
        ((4.0, 4.1), (3.0, 3.1), (4.4, 3.2)),
        ((4.0, 4.1), (2.0, 2.6), (1.0, 3.1)),
        ((4.0, 4.1), (3.99, 4.0), (3.98, 4.005)),
        ((4.0, 1.5), (3.0, 1.4), (2.0, 1.41)),  # held out it begins better, as without dropout
    ):
        agree(history)


@exercise("name_run", points=2, level="edges")
def test_five_per_cent_are_counted_from_the_lowest_and_from_the_first(agree: Agree, draw: Draw) -> None:
    """5 % from the lowest held-out loss, wherever it is; 95 % of the first training loss, not of the highest"""
    for history in runs(
        draw,
        ((4.0, 2.0), (3.0, 2.5), (2.0, 2.3)),
        ((4.0, 2.0), (3.0, 2.5), (2.0, 2.108)),
        ((4.0, 2.0), (3.0, 2.5), (2.0, 2.103)),
        ((4.0, 2.0), (3.0, 2.5), (2.0, 2.09)),
        ((4.0, 2.0), (3.0, 2.5), (2.0, 2.10001)),  # close to 5 %, on both sides of it
        ((4.0, 2.0), (3.0, 2.5), (2.0, 2.09999)),
        ((4.0, 8.0), (3.0, 2.0), (2.0, 2.3)),
        ((4.0, 30.0), (3.0, 20.0), (2.0, 20.5)),
        ((4.0, 0.50), (3.0, 0.40), (2.0, 0.43)),
        ((4.0, 3.0), (2.0, 2.9), (3.84, 2.8)),
        ((4.0, 3.0), (2.0, 2.9), (3.816, 2.8)),
        ((4.0, 3.0), (2.0, 2.9), (3.80001, 2.8)),
        ((4.0, 3.0), (2.0, 2.9), (3.79999, 2.8)),
        ((4.0, 3.0), (4.5, 2.9), (3.9, 2.8)),
        ((4.0, 3.0), (4.5, 2.9), (3.76, 2.8)),
        ((4.0, 3.0), (1.0, 2.9), (3.7, 2.8)),
        ((0.4, 3.0), (0.39, 2.9), (0.37, 2.8)),
        ((40.0, 3.0), (39.5, 2.9), (38.5, 2.8)),
    ):
        agree(history)


@exercise("name_run", points=2, level="edges")
def test_the_first_name_that_fits_is_given(agree: Agree, draw: Draw) -> None:
    """NaN or infinity anywhere: diverged; diverged comes before memorises, that before stalls; one record: stalls"""
    nan, inf = math.nan, math.inf
    for history in runs(
        draw,
        ((nan, 4.1), (3.0, 3.1), (2.0, 2.1)),  # first: `max` keeps a NaN that comes first
        ((4.0, 4.1), (3.9, nan), (2.0, 2.1)),
        ((4.0, 4.1), (nan, 3.9), (2.0, 2.1)),
        ((4.0, 4.1), (3.0, 3.1), (2.0, inf)),
        ((4.0, inf), (3.0, 3.1), (2.0, 2.1)),
        ((inf, 4.1), (3.0, 3.1), (2.0, 2.1)),
        ((4.0, 4.1), (3.0, 3.1), (nan, 2.1)),
        ((4.0, 2.1), (3.0, 2.0), (4.2, 3.1)),
        ((4.0, 2.1), (3.5, 2.0), (3.9, 4.6)),
        ((4.0, 4.1),),
    ):
        agree(history)


@exercise("training_flops", points=1, level="property")
def test_twice_the_text_costs_twice_as_much(agree: Agree, draw: Draw) -> None:
    """twice as many tokens cost twice as much"""
    size, tokens = draw.random.randrange(10**5, 10**7), draw.random.randrange(10**5, 10**7)
    shows = lambda a, b: f"{a} and {b}"  # noqa: E731
    says = "twice as many tokens cost twice as much, and more than one operation each"
    agree.relates(says, lambda a, b: b == 2 * a > 2 * tokens, (size, tokens), (size, 2 * tokens), shows=shows)


@exercise("training_flops", points=1, level="values")
def test_six_for_each_parameter_and_token(agree: Agree, draw: Draw) -> None:
    """six operations for each parameter and token"""
    for _ in range(2):
        agree(draw.random.randrange(10**3, 10**6), draw.random.randrange(10**3, 10**6))


@exercise("training_flops", points=1, level="edges")
def test_the_count_is_exact_however_large(agree: Agree, draw: Draw) -> None:
    """an exact whole number, also for a model of 175 billion parameters and 300 billion tokens, and far beyond"""
    agree(175 * 10**9 + draw.random.randrange(10**6), 300 * 10**9 + draw.random.randrange(10**6))
    agree(10**40 + draw.random.randrange(10**6), 10**40 + draw.random.randrange(10**6))
    agree(1, draw.random.randrange(10**3, 10**6))


@exercise("cache_bytes", points=1, level="property")
def test_the_cache_grows_evenly_with_the_text(agree: Agree, draw: Draw) -> None:
    """a text of twice the length needs twice the bytes"""
    # Odd sizes, a prime, and a long text that the batch divides, but 16 does not: nothing wrong gets through by luck.
    blocks, heads, width = (
        draw.random.randrange(11, 40, 2),
        draw.random.randrange(41, 80, 2),
        draw.random.choice((83, 97)),
    )
    batch = 4 * draw.random.randrange(15, 24, 2)
    length = batch * draw.random.randrange(30_002, 60_000, 4)
    first, second = (blocks, heads, width, length, batch, 2), (blocks, heads, width, 2 * length, batch, 2)
    shows = lambda a, b: f"{a} and {b}"  # noqa: E731
    says = "a text of twice the length needs twice the bytes, and more than one a token"
    agree.relates(says, lambda a, b: b == 2 * a > 2 * length, first, second, shows=shows)


@exercise("cache_bytes", points=2, level="values")
def test_keys_and_values_of_every_block_head_token_and_text(agree: Agree, draw: Draw) -> None:
    """keys and values: 2 · blocks · key heads · width of a head · tokens · texts · bytes of a number"""
    for bytes_each in (2, 4, 1, 8):
        agree(*draw.random.sample(range(11, 99), 5), bytes_each)
    agree(32, 32, 128, 4096, 1, 2)


@exercise("cache_bytes", points=1, level="edges")
def test_the_bytes_are_exact_however_many(agree: Agree, draw: Draw) -> None:
    """an exact whole number, for millions of long texts and far beyond; one block, head, token, text and byte"""
    agree(96, 96, 128, draw.random.randrange(10**7, 10**8), draw.random.randrange(10**7, 10**8), 8)
    agree(96, 96, 128, 10**20 + draw.random.randrange(10**6), 10**20 + draw.random.randrange(10**6), 8)
    agree(1, 1, draw.random.randrange(10, 10**4), 1, 1, 1)


def law(draw: Draw, count: int, noise: float = 0.0) -> tuple[list[float], list[float], float, float]:
    """Sizes in any order, losses by a power law with some noise, and the law's a and b."""
    a, b = draw.random.uniform(5, 20), draw.random.uniform(0.05, 0.3)
    sizes = [draw.random.uniform(1, 9) * 10.0 ** (number + 2) for number in range(count)]
    draw.random.shuffle(sizes)
    return sizes, [a * size**-b * math.exp(noise * draw.random.uniform(-1, 1)) for size in sizes], a, b


@exercise("power_law", points=1, level="property")
def test_a_power_law_is_found_again(agree: Agree, draw: Draw) -> None:
    """losses that follow a power law exactly give its a and b"""
    sizes, losses, a, b = law(draw, 5)
    says = f"for losses of {a:.4g} · size^-{b:.4g}, a is {a:.4g} and b is {b:.4g}"
    found = lambda r: math.isclose(r[0], a, rel_tol=1e-5) and math.isclose(r[1], b, rel_tol=1e-5)  # noqa: E731
    agree.satisfies(says, found, sizes, losses, shows=lambda r: f"a is {r[0]:.4g} and b is {r[1]:.4g}")


@exercise("power_law", points=3, level="values")
def test_the_line_of_least_squares_through_the_logarithms(agree: Agree, draw: Draw) -> None:
    """of losses that only nearly follow a law, a and b of the line of least squares through the logarithms"""
    for count in (4, 6):
        sizes, losses, *_ = law(draw, count, noise=0.1)
        agree(sizes, losses, tolerance=1e-6)


@exercise("power_law", points=1, level="edges")
def test_two_points_whole_numbers_and_losses_that_rise(agree: Agree, draw: Draw) -> None:
    """two sizes; sizes that are whole numbers, and one of them twice; losses that rise give b below 0"""
    sizes, losses, *_ = law(draw, 2)
    agree(sizes, losses, tolerance=1e-6)
    whole = [draw.random.randrange(10**number, 10 ** (number + 1)) for number in (4, 5, 6)]
    agree(
        [*whole, whole[0]],
        [draw.random.uniform(1 + 0.5 * number, 1.4 + 0.5 * number) for number in (0, 1, 2, 0)],
        tolerance=1e-6,
    )
    agree(whole, [2, 3, 5], tolerance=1e-6)
