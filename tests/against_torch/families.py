# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls of PyTorch's operators, family by family: a function draws (operator, arguments, named arguments).

The overload is "default" if none is named. Arguments need not make sense: what PyTorch refuses is passed over.
"""
from calls import elements, movement, networks, reductions, special, windows

FAMILIES = [
    windows.convolution, windows.pooling, windows.resampling, windows.columns,
    reductions.normalization, reductions.softmax, reductions.reduction, reductions.order,
    movement.indexing, movement.view, movement.slicing, movement.joining,
    elements.unary, elements.binary, elements.elementwise, elements.products, elements.creation, elements.losses,
    networks.recurrent, networks.cells, networks.signal, networks.pictures, networks.decompositions, networks.chance,
    special.special_functions, special.complex_numbers, special.transforms, special.weighted_losses, special.matrices,
]
