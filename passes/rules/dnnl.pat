// What the external code generator `dnnl` takes: what oneDNN computes in one primitive, of f32.
//
// A rule of more operators stands before those of fewer. A tensor without elements is left to this compiler.

// Convolutions in one, two and three dimensions: with a bias for each channel, another tensor added, and relu.

rule dnnl.conv_bias_sum_relu {
  match nn.relu((%i = (%c = (nn.conv1d(%x, _) | nn.conv2d(%x, _) | nn.conv3d(%x, _))) + %b) + %s)
  where static(%c) and element(%c) == f32 and count(%c) > 0 and count(%x) > 0
  where begins(%c.data_layout, "NC") and begins(%c.kernel_layout, "OI")
  where count(%b) == dim(%c, 1) and rank(%b) >= rank(%c) - 1 and dim(%b, rank(%b) - rank(%c) + 1) == dim(%c, 1)
  where type(%i) == type(%c) and type(%s) == type(%c)
}

rule dnnl.conv_bias_sum {
  match (%i = (%c = (nn.conv1d(%x, _) | nn.conv2d(%x, _) | nn.conv3d(%x, _))) + %b) + %s
  where static(%c) and element(%c) == f32 and count(%c) > 0 and count(%x) > 0
  where begins(%c.data_layout, "NC") and begins(%c.kernel_layout, "OI")
  where count(%b) == dim(%c, 1) and rank(%b) >= rank(%c) - 1 and dim(%b, rank(%b) - rank(%c) + 1) == dim(%c, 1)
  where type(%i) == type(%c) and type(%s) == type(%c)
}

rule dnnl.conv_bias_relu {
  match nn.relu(%i = (%c = (nn.conv1d(%x, _) | nn.conv2d(%x, _) | nn.conv3d(%x, _))) + %b)
  where static(%c) and element(%c) == f32 and count(%c) > 0 and count(%x) > 0
  where begins(%c.data_layout, "NC") and begins(%c.kernel_layout, "OI")
  where count(%b) == dim(%c, 1) and rank(%b) >= rank(%c) - 1 and dim(%b, rank(%b) - rank(%c) + 1) == dim(%c, 1)
  where type(%i) == type(%c)
}

rule dnnl.conv_bias {
  match %i = (%c = (nn.conv1d(%x, _) | nn.conv2d(%x, _) | nn.conv3d(%x, _))) + %b
  where static(%c) and element(%c) == f32 and count(%c) > 0 and count(%x) > 0
  where begins(%c.data_layout, "NC") and begins(%c.kernel_layout, "OI")
  where count(%b) == dim(%c, 1) and rank(%b) >= rank(%c) - 1 and dim(%b, rank(%b) - rank(%c) + 1) == dim(%c, 1)
  where type(%i) == type(%c)
}

rule dnnl.conv_relu {
  match nn.relu(%c = (nn.conv1d(%x, _) | nn.conv2d(%x, _) | nn.conv3d(%x, _)))
  where static(%c) and element(%c) == f32 and count(%c) > 0 and count(%x) > 0
  where begins(%c.data_layout, "NC") and begins(%c.kernel_layout, "OI")
}

rule dnnl.conv {
  match %c = (nn.conv1d(%x, _) | nn.conv2d(%x, _) | nn.conv3d(%x, _))
  where static(%c) and element(%c) == f32 and count(%c) > 0 and count(%x) > 0
  where begins(%c.data_layout, "NC") and begins(%c.kernel_layout, "OI")
}

// Products with a weight: with a bias for each column, an activation, or another tensor added. A reshape may stand
// before the bias that keeps the columns.

rule dnnl.dense_bias_gelu {
  match ((%i = reshape(%d = nn.dense(%x, _))? + %b) * (erf(%i * %k: constant) + 1)) * 0.5
  where static(%d) and element(%d) == f32 and count(%d) > 0 and count(%x) > 0
  where count(%b) == dim(%d, 1) and dim(%b, rank(%b) - 1) == dim(%d, 1) and dim(%i, rank(%i) - 1) == dim(%d, 1)
  where count(%i) == count(%d) and value(%k) > 0.70710 and value(%k) < 0.70711
}

rule dnnl.dense_bias_relu {
  match nn.relu(%i = reshape(%d = nn.dense(%x, _))? + %b)
  where static(%d) and element(%d) == f32 and count(%d) > 0 and count(%x) > 0
  where count(%b) == dim(%d, 1) and dim(%b, rank(%b) - 1) == dim(%d, 1) and dim(%i, rank(%i) - 1) == dim(%d, 1)
  where count(%i) == count(%d)
}

rule dnnl.dense_bias_sum {
  match (%i = reshape(%d = nn.dense(%x, _))? + %b) + %s
  where static(%d) and element(%d) == f32 and count(%d) > 0 and count(%x) > 0
  where count(%b) == dim(%d, 1) and dim(%b, rank(%b) - 1) == dim(%d, 1) and dim(%i, rank(%i) - 1) == dim(%d, 1)
  where count(%i) == count(%d) and type(%s) == type(%i)
}

rule dnnl.dense_bias {
  match %i = reshape(%d = nn.dense(%x, _))? + %b
  where static(%d) and element(%d) == f32 and count(%d) > 0 and count(%x) > 0
  where count(%b) == dim(%d, 1) and dim(%b, rank(%b) - 1) == dim(%d, 1) and dim(%i, rank(%i) - 1) == dim(%d, 1)
  where count(%i) == count(%d)
}

rule dnnl.dense {
  match %d = nn.dense(%x, _)
  where static(%d) and element(%d) == f32 and count(%d) > 0 and count(%x) > 0
}

// Products of batches of matrices.

rule dnnl.batch_matmul {
  match %d = nn.batch_matmul(%x, _)
  where static(%d) and element(%d) == f32 and count(%d) > 0 and count(%x) > 0
}

// Pools whose windows all begin and end in the padded data.

rule dnnl.pool {
  match %p = (nn.max_pool1d(%x) | nn.max_pool2d(%x) | nn.max_pool3d(%x)
            | nn.avg_pool1d(%x) | nn.avg_pool2d(%x) | nn.avg_pool3d(%x))
  where static(%p) and element(%p) == f32 and count(%p) > 0 and count(%x) > 0
  where begins(%p.layout, "NC") and not %p.ceil_mode
}

// What stands between those.

rule dnnl.softmax {
  match %o = nn.softmax(_)
  where static(%o) and element(%o) == f32 and count(%o) > 0
}

rule dnnl.relu {
  match %o = nn.relu(_)
  where static(%o) and element(%o) == f32 and count(%o) > 0
}

rule dnnl.add {
  match %o = %x + %y
  where static(%o) and element(%o) == f32 and count(%o) > 0
  where type(%x) == type(%o) and type(%y) == type(%o)
}
