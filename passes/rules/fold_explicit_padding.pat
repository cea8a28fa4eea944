// The rules of `fold-explicit-padding`. An `nn.pad` has two widths for each dimension, before and behind it; an operator's
// padding has those before all spatial dimensions, then those behind. The type relation refuses what is too wide.

// Convolutions pad with zeros.
rule padding_of_convolution {
  match %o = (nn.conv1d(%p = nn.pad(%x, 0), %w) | nn.conv2d(%p, %w) | nn.conv3d(%p, %w)
            | nn.contrib_conv2d_NCHWc(%p, %w) | nn.contrib_depthwise_conv2d_NCHWc(%p, %w))
  let   space = spatial(%o.data_layout)
  let   rest = without(range(rank(%x)), space)
  where %p.pad_mode == "constant"
  where without(concat(pick(evens(%p.pad_width), rest), pick(odds(%p.pad_width), rest)), [0]) == []
  with  %o(%x, %w) {padding = %o.padding + concat(pick(evens(%p.pad_width), space), pick(odds(%p.pad_width), space))}
}

// What surrounds the data of a maximum is smaller than anything. With `ceil_mode`, a last window may reach beyond the data, but
// not begin beyond it, and padding is not data: then windows have to fit.
rule padding_of_maximum {
  match %o = (nn.max_pool1d(%p = nn.pad(%x, %least: constant)) | nn.max_pool2d(%p) | nn.max_pool3d(%p))
  let   space = spatial(%o.layout)
  let   rest = without(range(rank(%x)), space)
  where %p.pad_mode == "constant"
  where without(concat(pick(evens(%p.pad_width), rest), pick(odds(%p.pad_width), rest)), [0]) == []
  where value(%least) == least(element(%x)) or element(%x) is float and value(%least) <= least(element(%x))
  where not %o.ceil_mode or exact(%o)
  with  %o(%x) {padding = %o.padding + concat(pick(evens(%p.pad_width), space), pick(odds(%p.pad_width), space))}
}

// What surrounds the data of a mean is zero, and counts or does not. What `nn.pad` puts there counts.
rule padding_of_mean {
  match %o = (nn.avg_pool1d(%p = nn.pad(%x, 0)) | nn.avg_pool2d(%p) | nn.avg_pool3d(%p))
  let   space = spatial(%o.layout)
  let   rest = without(range(rank(%x)), space)
  where %p.pad_mode == "constant"
  where without(concat(pick(evens(%p.pad_width), rest), pick(odds(%p.pad_width), rest)), [0]) == []
  where %o.count_include_pad or without(%o.padding, [0]) == []
  where not %o.ceil_mode or exact(%o)
  with  %o(%x) {padding = %o.padding + concat(pick(evens(%p.pad_width), space), pick(odds(%p.pad_width), space)),
                count_include_pad = true}
}
