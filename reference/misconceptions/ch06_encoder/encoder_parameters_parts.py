"""Parameters of an encoder: parts that are counted once for all blocks, forgotten, or of the wrong size."""

from reference.ch06_encoder import encoder_parameters
from reference.misconceptions import misconception


@misconception("encoder_parameters", "encoder-parameters-norms-once")
def norms_once(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the two norms once, and not in each block.

    Blocks share nothing: each has two norms of its own.
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole - (num_blocks - 1) * 4 * width


@misconception("encoder_parameters", "encoder-parameters-attention-once")
def attention_once(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the attention once, and not in each block.

    Blocks share nothing: each has four layers of attention of its own.
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole - (num_blocks - 1) * 4 * (width * width + width)


@misconception("encoder_parameters", "encoder-parameters-network-once")
def network_once(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the feed-forward network once, and not in each block.

    Blocks share nothing: each has a network of its own.
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole - (num_blocks - 1) * (2 * width * hidden + hidden + width)


@misconception("encoder_parameters", "encoder-parameters-biases-once")
def biases_once(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the biases of one block only, however many blocks there are.

    Blocks share nothing: each has the biases of six linear layers.
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole - (num_blocks - 1) * (5 * width + hidden)


@misconception("encoder_parameters", "encoder-parameters-no-attention")
def no_attention(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You do not count the attention.

    Before the feed-forward network, each block has four linear layers from D to D.
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole - num_blocks * 4 * (width * width + width)


@misconception("encoder_parameters", "encoder-parameters-no-network")
def no_network(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You do not count the feed-forward network.

    After the attention, each block has two linear layers, from D to F and back.
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole - num_blocks * (2 * width * hidden + hidden + width)


@misconception("encoder_parameters", "encoder-parameters-no-norms-no-attention-biases")
def neither_norms_nor_attention_biases(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You leave out 8·D numbers in each block: both norms and the four biases of the attention.

    Each norm has a scale and a shift, and each of the four layers a bias, all of size D.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) - num_blocks * 8 * width


@misconception("encoder_parameters", "encoder-parameters-three-plain-projections")
def three_plain_projections(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count three matrices for the attention, without biases; there are four layers, each with a bias.

    After the heads comes w_o. How many outputs has each of the four, and so how many biases?
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole - num_blocks * (width * width + 4 * width)


@misconception("encoder_parameters", "encoder-parameters-hidden-squared")
def second_layer_from_hidden_to_hidden(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the second layer of the network from F to F; it leads from F back to D.

    Its result is added to x. How many numbers must it have?
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole + num_blocks * (hidden * hidden + hidden - hidden * width - width)


@misconception("encoder_parameters", "encoder-parameters-one-block-more")
def one_block_more(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count one block too many.

    There are `num_blocks` of them, and nothing after the last one.
    """
    return encoder_parameters(num_blocks + 1, width, hidden, vocab_size, max_length)


@misconception("encoder_parameters", "encoder-parameters-of-a-decoder")
def blocks_of_a_decoder(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count a decoder's block: two attentions and three norms.

    An encoder has nobody else to attend to. How many attentions does its block need, and how many norms?
    """
    whole = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return whole + num_blocks * (4 * (width * width + width) + 2 * width)


@misconception("encoder_parameters", "encoder-parameters-single-positions")
def one_number_per_position(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count one number for each position.

    A position is added to a token's vector. What size must it have?
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size) + max_length


@misconception("encoder_parameters", "encoder-parameters-single-tokens")
def one_number_per_token(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count one number for each token of the vocabulary, or for each row of both tables.

    A row of the table is a token's vector. What size has it?
    """
    return encoder_parameters(num_blocks, width, hidden) + vocab_size + max_length


@misconception("encoder_parameters", "encoder-parameters-table-biases")
def table_biases(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You give each table that is there a bias of D numbers.

    A table is no linear layer: it has a vector for each of its rows, and nothing else.
    """
    tables = (vocab_size > 0) + (max_length > 0)
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) + tables * width


@misconception("encoder_parameters", "encoder-parameters-int32")
def wrapped_at_32_bits(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """From 2³¹ on your count is wrong: integers of 32 bits wrap around there.

    Large models have more parameters than that. Python's own integers grow as they need.
    """
    count = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return (count + 2**31) % 2**32 - 2**31


@misconception("encoder_parameters", "encoder-parameters-one-table-or-the-other")
def one_table_or_the_other(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """Where there is a token table, you do not count the table of positions.

    The two do not replace each other. Count each table by itself.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, 0 if vocab_size else max_length)
