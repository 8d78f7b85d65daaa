// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"

/// Compute rules of operators of networks; see rules.h.
namespace cutaway::compute {

// grid_sample.cpp, resampling.cpp, upsampling.cpp
Answer affineGrid(const Call &call);
Answer gridSample(const Call &call);
Answer resize(const Call &call);   ///< onnx::Resize, onnx::Upsample
Answer upsample(const Call &call); ///< torch's upsample_… and interpolate

// recurrent_onnx.cpp, recurrent_torch.cpp
Answer recurrent(const Call &call);      ///< onnx::LSTM, GRU, RNN
Answer torchRecurrent(const Call &call); ///< aten::lstm, gru, rnn_tanh and rnn_relu with one padded tensor
Answer recurrentCell(const Call &call);  ///< aten::lstm_cell, gru_cell, rnn_tanh_cell, rnn_relu_cell

// vision.cpp
Answer nonMaxSuppression(const Call &call); ///< onnx::NonMaxSuppression, torchvision::nms
Answer roiAlign(const Call &call);
Answer maxRoiPool(const Call &call);

// pooling.cpp, normalization.cpp
Answer maxUnpool(const Call &call);
Answer weightNorm(const Call &call);

// pooling.cpp
Answer lpPool(const Call &call);
Answer globalLpPool(const Call &call);

// normalization.cpp
Answer localResponse(const Call &call);   ///< onnx::LRN
Answer lpNormalization(const Call &call); ///< onnx::LpNormalization
Answer meanVarianceNormalization(const Call &call);

// loss.cpp, sequence_loss.cpp
Answer negativeLogLikelihood(const Call &call);
Answer softmaxCrossEntropy(const Call &call); ///< onnx::SoftmaxCrossEntropyLoss
Answer crossEntropy(const Call &call);        ///< aten::cross_entropy_loss
Answer absoluteLoss(const Call &call);
Answer squaredLoss(const Call &call);
Answer smoothLoss(const Call &call); ///< aten::smooth_l1_loss, huber_loss
Answer softMarginLoss(const Call &call);
Answer divergenceLoss(const Call &call); ///< aten::kl_div
Answer binaryCrossEntropy(const Call &call);
Answer binaryCrossEntropyOfScores(const Call &call);
Answer hingeEmbeddingLoss(const Call &call);
Answer poissonLoss(const Call &call);
Answer rankingLoss(const Call &call);
Answer sequenceLoss(const Call &call); ///< aten::ctc_loss

} // namespace cutaway::compute
