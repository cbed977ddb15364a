"""Loops: one token, one span, one sentence at a time; the probabilities by tossing on; parameters frozen by name."""

import torch
from torch import nn

from reference.blocks import BertEmbedding as GivenEmbedding
from reference.blocks import EncoderBlock


def mask_tokens(ids, maskable, select, action, random_ids, mask_id):
    inputs = ids.clone()
    labels = ids.clone()
    rows, columns = ids.shape
    for b in range(rows):
        for t in range(columns):
            if not maskable[b, t] or select[b, t] >= 0.15:
                labels[b, t] = -100
            elif action[b, t] < 0.8:
                inputs[b, t] = mask_id
            elif action[b, t] < 0.9:
                inputs[b, t] = random_ids[b, t]
    return inputs, labels


def span_length_probabilities(p=0.2, max_length=10):
    probabilities = []
    going_on = 1.0
    for _ in range(max_length):
        probabilities.append(going_on * p)
        going_on = going_on * (1 - p)
    total = sum(probabilities)
    return torch.tensor([probability / total for probability in probabilities])


def mask_spans(ids, starts, lengths, budget):
    size = ids.shape[0]
    hidden = [False] * size
    count = 0
    span = 0
    while count < budget * size and span < len(starts):
        place = int(starts[span])
        end = place + int(lengths[span])
        while place < end and place < size:
            if not hidden[place]:
                hidden[place] = True
                count += 1
            place += 1
        span += 1
    return torch.tensor(hidden, device=ids.device)


def mean_surprise(logits, targets):
    total = 0.0
    for row, target in zip(logits, targets, strict=True):
        total = total - (row[int(target)] - torch.logsumexp(row, dim=0))
    return total / len(targets)


def span_boundary_loss(boundary_logits, token_logits, targets):
    return mean_surprise(boundary_logits, targets) + mean_surprise(token_logits, targets)


def sentence_pair(first, second, cls_id, sep_id):
    length = len(first) + len(second) + 3
    ids = torch.empty(length, dtype=first.dtype, device=first.device)
    segments = torch.zeros(length, dtype=torch.int64, device=first.device)
    ids[0] = cls_id
    for t in range(len(first)):
        ids[1 + t] = first[t]
    ids[1 + len(first)] = sep_id
    for t in range(len(second)):
        ids[2 + len(first) + t] = second[t]
    ids[length - 1] = sep_id
    for t in range(len(first) + 2, length):
        segments[t] = 1
    return ids, segments


class BertEmbedding(nn.Module):
    def __init__(self, vocab_size, max_length, num_segments, width):
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.position = nn.Embedding(max_length, width)
        self.segment = nn.Embedding(num_segments, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids, segments):
        columns = []
        for t in range(ids.shape[1]):
            vector = self.segment(segments[:, t]) + self.position.weight[t]
            columns.append(self.norm(vector + self.token(ids[:, t])))
        return torch.stack(columns, dim=1)


def masked_lm_loss(logits, labels):
    losses = []
    for text, asked in zip(logits, labels, strict=True):
        for row, label in zip(text, asked, strict=True):
            if label != -100:
                losses.append(row.logsumexp(0) - row[label])
    return sum(losses) / len(losses)


def next_sentence_examples(documents, swap, random_pick):
    everything = []
    for document in documents:
        everything.extend(document)
    pairs, labels = [], []
    for document in documents:
        for t in range(1, len(document)):
            i = len(labels)
            if swap[i]:
                pairs.append((document[t - 1], everything[random_pick[i]]))
                labels.append(False)
            else:
                pairs.append((document[t - 1], document[t]))
                labels.append(True)
    return pairs, torch.tensor(labels, dtype=torch.bool)


class BertClassifier(nn.Module):
    def __init__(
        self,
        vocab_size,
        max_length,
        num_segments,
        width,
        num_heads,
        hidden,
        num_blocks,
        num_classes,
        dropout=0.1,
    ):
        super().__init__()
        self.embedding = GivenEmbedding(vocab_size, max_length, num_segments, width)
        self.blocks = nn.ModuleList()
        for _ in range(num_blocks):
            self.blocks.append(EncoderBlock(width, num_heads, hidden, dropout, activation="gelu"))
        self.pooler = nn.Linear(width, width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, ids, segments, mask=None):
        x = self.embedding(ids, segments)
        for i in range(len(self.blocks)):
            block = self.blocks[i]
            attended, _ = block.attention(x, x, x, mask)
            x = block.norm1(x + block.dropout1(attended))
            x = block.norm2(x + block.dropout2(block.feed_forward(x)))
        logits = []
        for text in x:
            pooled = self.pooler(text[0]).tanh()
            logits.append(self.head(pooled))
        return torch.stack(logits)


def freeze_all_but_head(model):
    for name, parameter in model.named_parameters():
        if name.split(".")[0] == "head":
            parameter.requires_grad = True
        else:
            parameter.requires_grad = False
    return model
