"""What goes wrong in `encoder_parameters`."""

from reference.ch06_encoder import encoder_parameters
from reference.misconceptions import misconception


@misconception("encoder_parameters", "encoder-parameters-no-biases")
def no_biases(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count no biases.

    A block has six linear layers, each with a bias: five of size D (four in the attention) and one of size F.
    """
    tables = (vocab_size + max_length) * width
    return num_blocks * (4 * width * width + 2 * width * hidden + 4 * width) + tables


@misconception("encoder_parameters", "encoder-parameters-matrices-only")
def matrices_only(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the matrices alone, without biases and norms.

    Each linear layer has a bias, and each of the two norms has a scale and a shift.
    """
    return num_blocks * (4 * width * width + 2 * width * hidden) + (vocab_size + max_length) * width


@misconception("encoder_parameters", "encoder-parameters-no-norms")
def no_norms(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You leave out the norms, or else the biases of the attention: 4·D numbers in each block.

    A block has two norms, each with a scale and a shift, and four linear layers in its attention, each with a bias.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) - num_blocks * 4 * width


@misconception("encoder_parameters", "encoder-parameters-half-norms")
def half_of_the_norms(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You leave out 2·D numbers in each block: half of the norms, or two biases, such as those of w_o and of the
    network's second layer.

    A block has two norms, each with a scale and a shift of size D, and six linear layers, each with a bias.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) - num_blocks * 2 * width


@misconception("encoder_parameters", "encoder-parameters-norms-of-single-numbers")
def norms_of_single_numbers(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count a norm's scale and shift as single numbers, two in each norm.

    A norm multiplies each feature by a number of its own. How many features has a vector?
    """
    everything = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return everything + num_blocks * (4 - 4 * width)


@misconception("encoder_parameters", "encoder-parameters-last-norm")
def with_last_norm(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count 2·D numbers too many, as many as a last norm, a table of two segments or a bias for both tables has.

    Only a pre-norm encoder has a last norm. In front of the blocks there are two tables at most, without norm or bias.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) + 2 * width


@misconception("encoder_parameters", "encoder-parameters-three-projections")
def three_projections(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count three linear layers in the attention: w_o is missing.

    Queries, keys and values have one each, and what the heads found goes through a fourth.
    """
    everything = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return everything - num_blocks * (width * width + width)


@misconception("encoder_parameters", "encoder-parameters-network-biases")
def network_without_biases(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count no biases in the feed-forward network.

    Its first layer has one of size F, its second one of size D.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) - num_blocks * (hidden + width)


@misconception("encoder_parameters", "encoder-parameters-one-layer-network")
def one_layer_network(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count only one layer of the feed-forward network.

    It has two: from D to F and back from F to D.
    """
    everything = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return everything - num_blocks * (hidden * width + width)


@misconception("encoder_parameters", "encoder-parameters-bias-sizes")
def wrong_bias_sizes(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count both biases of the feed-forward network with size F.

    A bias has one number per output: F in the first layer, D in the second.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) + num_blocks * (hidden - width)


@misconception("encoder_parameters", "encoder-parameters-four-times-width")
def four_times_width(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You take 4 times the width for the hidden size, whatever hidden says.

    That is the custom, not the rule; hidden is an argument.
    """
    return encoder_parameters(num_blocks, width, 4 * width, vocab_size, max_length)


@misconception("encoder_parameters", "encoder-parameters-one-block")
def one_block(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count one block only.

    There are num_blocks of them, each with parameters of its own.
    """
    return encoder_parameters(1, width, hidden, vocab_size, max_length)


@misconception("encoder_parameters", "encoder-parameters-tables-per-block")
def tables_per_block(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the tables once per block.

    They come before the first block, once.
    """
    return num_blocks * encoder_parameters(1, width, hidden, vocab_size, max_length)


@misconception("encoder_parameters", "encoder-parameters-positions-per-token")
def positions_with_tokens_only(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """Without a token table you do not count the positions either.

    Each table counts on its own: add max_length · D whether there are tokens or not.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length if vocab_size else 0)


@misconception("encoder_parameters", "encoder-parameters-tables-together")
def tables_together(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count one table only if both are asked for.

    Each counts on its own: tokens without positions, and positions without tokens.
    """
    both = vocab_size and max_length
    return encoder_parameters(num_blocks, width, hidden, *((vocab_size, max_length) if both else ()))


@misconception("encoder_parameters", "encoder-parameters-no-tables")
def no_tables(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You do not count the tables.

    A table has one vector of size D for each token, or for each position.
    """
    return encoder_parameters(num_blocks, width, hidden)


@misconception("encoder_parameters", "encoder-parameters-no-positions")
def no_positions(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the token table, but not the table of positions.

    Learned positions are a table as well: max_length vectors of size D.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size)


@misconception("encoder_parameters", "encoder-parameters-product-table")
def one_table_of_pairs(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count a vector for each pair of token and position.

    The two tables stand side by side: together they have vocab_size + max_length vectors of size D.
    """
    return encoder_parameters(num_blocks, width, hidden) + vocab_size * max_length * width


@misconception("encoder_parameters", "encoder-parameters-output-table")
def output_table(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the token table twice, as if there were an output layer.

    This is the encoder alone: one table of tokens, in front.
    """
    return encoder_parameters(num_blocks, width, hidden, 2 * vocab_size, max_length)


@misconception("encoder_parameters", "encoder-parameters-float")
def as_float(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """Your count is a float, or has been one on its way.

    It counts things, to the last digit: leave out the division, or use `//`, and let no tensor of floats add it up.
    """
    return float(encoder_parameters(num_blocks, width, hidden, vocab_size, max_length))


@misconception("encoder_parameters", "encoder-parameters-one-bias-missing")
def one_bias_of_the_width_missing(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You leave out D numbers in each block: one bias, such as that of w_o or of the network's second layer.

    A block has five biases of size D (four in the attention) and one of size F.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) - num_blocks * width


@misconception("encoder_parameters", "encoder-parameters-hidden-bias-missing")
def hidden_bias_missing(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You leave out the bias of the network's first layer, F numbers in each block.

    A bias has one number per output: F in the first layer, D in the second.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) - num_blocks * hidden


@misconception("encoder_parameters", "encoder-parameters-three-biases-missing")
def three_biases_missing(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You leave out 3·D numbers in each block, such as the biases of w_q, w_k and w_v.

    All four layers of the attention have a bias of size D.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) - num_blocks * 3 * width


@misconception("encoder_parameters", "encoder-parameters-biases-of-width")
def both_biases_of_the_width(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count both biases of the feed-forward network with size D.

    A bias has one number per output: F in the first layer, D in the second.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) + num_blocks * (width - hidden)


@misconception("encoder_parameters", "encoder-parameters-three-norms")
def three_norms(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count three norms in each block.

    An encoder block has two, one for each of its layers; three are in a decoder block.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) + num_blocks * 2 * width


@misconception("encoder_parameters", "encoder-parameters-one-projection")
def one_projection(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count a single linear layer in the attention.

    There are four: w_q, w_k, w_v and w_o.
    """
    everything = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return everything - num_blocks * 3 * (width * width + width)


@misconception("encoder_parameters", "encoder-parameters-two-attentions")
def two_attentions(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count two attentions in each block.

    Two are in a decoder block; an encoder block has one.
    """
    everything = encoder_parameters(num_blocks, width, hidden, vocab_size, max_length)
    return everything + num_blocks * 4 * (width * width + width)


@misconception("encoder_parameters", "encoder-parameters-pooler")
def with_a_pooler(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count a linear layer from D to D after the last block: BERT's pooler.

    It is no part of the encoder; count the blocks and the tables in front of them.
    """
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) + width * width + width


@misconception("encoder_parameters", "encoder-parameters-wide-tables")
def tables_of_the_hidden_width(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the tables with rows of F numbers.

    They hold vectors of the model's width, D numbers per row; F is only inside the feed-forward network.
    """
    blocks = encoder_parameters(num_blocks, width, hidden)
    return blocks + (vocab_size + max_length) * hidden


@misconception("encoder_parameters", "encoder-parameters-tokens-missing")
def tokens_missing(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """You count the table of positions, but not the token table.

    The token table has V rows of D numbers.
    """
    return encoder_parameters(num_blocks, width, hidden, 0, max_length)


@misconception("encoder_parameters", "encoder-parameters-norm-after-tables")
def norm_after_tables(num_blocks, width, hidden, vocab_size=0, max_length=0):
    """Where there are tables, you count a layer norm after them, as in BERT's embedding.

    The encoder here has tables, blocks and no other norm.
    """
    tables = vocab_size + max_length
    return encoder_parameters(num_blocks, width, hidden, vocab_size, max_length) + (2 * width if tables else 0)
