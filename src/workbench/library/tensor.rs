//! The family of matrix products on tensor cores, beside the same product in single precision.

use super::{Family, LibraryKernel, launches, source};
use engine::isa::ElemType;

pub(super) static FAMILIES: &[Family] = &[Family {
    id: "product",
    title: "Tensor cores",
    opens: "product-tensor",
    kernels: &[
        LibraryKernel {
            id: "product-tensor",
            group: "",
            variant: "halves",
            title: "Matrix product on tensor cores",
            look_at: "Tensor: one HMMA multiplies matrices whose elements all 32 lanes of the warp hold.",
            source: source!("product-tensor"),
            entry: "product_tensor",
            launch: || launches::tensor_product(ElemType::F16, ElemType::F32),
        },
        LibraryKernel {
            id: "product-bytes",
            group: "",
            variant: "bytes",
            title: "Matrix product of bytes on tensor cores",
            look_at: "Tensor: an IMMA multiplies matrices of bytes; its sums are integers of 32 bits.",
            source: source!("product-bytes"),
            entry: "product_bytes",
            launch: || launches::tensor_product(ElemType::I8, ElemType::I32),
        },
        LibraryKernel {
            id: "product-fp8",
            group: "",
            variant: "8-bit floats",
            title: "Matrix product of 8-bit floats on tensor cores",
            look_at: "Tensor: on AD102, a QMMA multiplies matrices of 8-bit floats; GH100 converts them to halves for two HMMAs.",
            source: source!("product-fp8"),
            entry: "product_fp8",
            launch: || launches::tensor_product(ElemType::F16, ElemType::F32),
        },
        LibraryKernel {
            id: "product-ffma",
            group: "",
            variant: "FFMA",
            title: "The same matrix product with FFMAs",
            look_at: "Source: eight FFMAs of a warp compute as many products as one HMMA of GV100.",
            source: source!("product-ffma"),
            entry: "product_ffma",
            launch: || launches::tensor_product(ElemType::F16, ElemType::F32),
        },
    ],
}];
