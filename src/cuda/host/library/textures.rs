//! CUDA arrays, copies to and from them, and texture and surface objects.

use crate::host::machine::*;
use crate::host::memory::*;
use crate::host::tree::*;
use crate::host::value::*;
use crate::host::{HostTexture, HostValue};
use engine::isa::{ElemType, ImageShape};
use engine::launch::texture::{AddressMode, Filter, Layout, Sampler};

/// Limit of an extent of an array: the widest one-dimensional texture (Programming Guide, Technical Specifications per Compute
/// Capability).
const MAX_EXTENT: u64 = 1 << 27;

/// The format of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) struct Channels {
    elem: ElemType,
    num: u8,
}

impl Channels {
    const fn texel_bytes(self) -> u64 {
        self.elem.bytes() as u64 * self.num as u64
    }
}

/// A CUDA array.
#[derive(Clone, Copy, Debug)]
pub(in crate::host) struct CudaArray {
    channels: Channels,
    /// Texels in x, y, and z; 0 for a missing axis.
    extent: [u64; 3],
    flags: u64,
}

/// A texture or surface object.
#[derive(Clone, Copy, Debug)]
pub(in crate::host) struct TextureObject {
    /// The allocation of the texels, and where they start in it.
    allocation: usize,
    start: u64,
    channels: Channels,
    extent: [u64; 3],
    flags: u64,
    layout: Layout,
    /// Bytes from a row to the next.
    pitch: u64,
    sampler: Sampler,
}

impl TextureObject {
    /// The shape, and the texels along x, y, and z, with 1 for a missing axis.
    fn shape(&self) -> (ImageShape, [u32; 3]) {
        const LAYERED: u64 = 1;
        const CUBE: u64 = 4;
        let extent = self.extent.map(|extent| extent.max(1) as u32);
        let [_, height, depth] = self.extent;
        let shape = match (self.flags & (LAYERED | CUBE), height, depth) {
            (CUBE, ..) => ImageShape::Cube,
            (LAYERED, 0, _) => ImageShape::Layered1,
            (LAYERED, ..) => ImageShape::Layered2,
            (0, 0, 0) => ImageShape::D1,
            (0, _, 0) => ImageShape::D2,
            (0, ..) => ImageShape::D3,
            _ => ImageShape::LayeredCube,
        };
        (shape, extent)
    }
}

/// The structs and constants of textures, as the CUDA headers declare them for host code; unnamed members have names here.
pub(in crate::host) const DECLARATIONS: &str = include_str!("../textures.h");

/// Whether a text uses what [`DECLARATIONS`] declares.
pub(in crate::host) fn is_used(text: &str) -> bool {
    const NAMES: [&str; 7] = [
        "cudaArray",
        "cudaMallocArray",
        "cudaResourceDesc",
        "cudaChannelFormat",
        "cudaCreateChannelDesc",
        "cudaExtent",
        "cudaPitchedPtr",
    ];
    NAMES.iter().any(|name| text.contains(name))
}

impl Machine {
    /// Calls about arrays, textures, and surfaces.
    pub(in crate::host) fn texture_call(
        &mut self,
        name: &str,
        template_args: &[TemplateArg],
        args: &[Expr],
    ) -> Runs<Option<Value>> {
        let plain = name.strip_suffix("Async").unwrap_or(name);
        Ok(match (plain, args.len()) {
            ("cudaCreateChannelDesc", 0) => self.channel_desc_of_type(template_args)?,
            ("cudaCreateChannelDesc", 5) => {
                let values = self.values(args)?;
                Some(self.struct_value("cudaChannelFormatDesc", &values)?)
            }
            ("make_cudaExtent" | "make_cudaPos", 3) | ("make_cudaPitchedPtr", 4) => {
                let values = self.values(args)?;
                let ty = plain.trim_start_matches("make_");
                Some(self.struct_value(ty, &values)?)
            }
            ("cudaMallocArray", 3..=5) => {
                let values = self.values(args)?;
                let get = |idx: usize| values.get(idx).cloned().unwrap_or_else(|| Value::int(0));
                let extent = [get(2), get(3), Value::int(0)];
                let name = self.name_of(&args[0]);
                Some(self.new_array(&values[0], &values[1], &extent, &get(4), name))
            }
            ("cudaMalloc3DArray", 3..=4) => {
                let values = self.values(args)?;
                let extent = ["width", "height", "depth"].map(|member| self.member_of(&values[2], member));
                let flags = values.get(3).cloned().unwrap_or_else(|| Value::int(0));
                let name = self.name_of(&args[0]);
                Some(self.new_array(&values[0], &values[1], &extent, &flags, name))
            }
            ("cudaMemcpyToArray", 6..=7) => {
                let values = self.values(&args[..6])?;
                self.copy_to_array(
                    &values[0],
                    &values[1],
                    &values[2],
                    &values[3],
                    &values[4],
                    &values[4],
                    &Value::int(1),
                );
                Some(Value::int(0))
            }
            ("cudaMemcpy2DToArray", 8..=9) => {
                let values = self.values(&args[..8])?;
                self.copy_to_array(
                    &values[0], &values[1], &values[2], &values[3], &values[4], &values[5], &values[6],
                );
                Some(Value::int(0))
            }
            ("cudaMemcpyFromArray", 6..=7) => {
                let values = self.values(&args[..6])?;
                self.copy_from_array(
                    &values[0],
                    &values[4],
                    &values[1],
                    &values[2],
                    &values[3],
                    &values[4],
                    &Value::int(1),
                );
                Some(Value::int(0))
            }
            ("cudaMemcpy2DFromArray", 8..=9) => {
                let values = self.values(&args[..8])?;
                self.copy_from_array(
                    &values[0], &values[1], &values[2], &values[3], &values[4], &values[5], &values[6],
                );
                Some(Value::int(0))
            }
            ("cudaMemcpy3D", 1..=2) => {
                let params = self.eval(&args[0])?;
                self.copy_3d(&params);
                Some(Value::int(0))
            }
            ("cudaCreateTextureObject", 3..=4) => {
                let values = self.values(&args[..3])?;
                Some(self.new_object(&values[0], &values[1], Some(&values[2])))
            }
            ("cudaCreateSurfaceObject", 2) => {
                let values = self.values(args)?;
                Some(self.new_object(&values[0], &values[1], None))
            }
            ("cudaDestroyTextureObject" | "cudaDestroySurfaceObject" | "cudaFreeArray", 1) => {
                self.values(args)?;
                Some(Value::int(0))
            }
            _ => None,
        })
    }

    /// The type of a struct of [`DECLARATIONS`].
    fn named_struct(&mut self, name: &str) -> Runs<Option<Ty>> {
        let Some(id) = self.id(name) else {
            return Ok(None);
        };
        Ok(match self.structs.get(&id).copied() {
            Some(idx) => Some(self.record(id, idx, &[])?),
            None => None,
        })
    }

    /// A value of a struct of [`DECLARATIONS`].
    fn struct_value(&mut self, name: &str, values: &[Value]) -> Runs<Value> {
        Ok(match self.named_struct(name)? {
            Some(ty) => self.record_value(ty, values),
            None => Value::unknown(self.reason(format!("`{name}` is not declared"))),
        })
    }

    /// `cudaCreateChannelDesc<float4>()`
    fn channel_desc_of_type(&mut self, template_args: &[TemplateArg]) -> Runs<Option<Value>> {
        let Some(TemplateArg::Type(ty)) = template_args.first() else {
            return Ok(None);
        };
        let ty = self.resolve(ty)?;
        let (elem, num) = match ty {
            Ty::Struct(id) => {
                let members = self.members(id);
                match members.first() {
                    Some((first, _)) if members.iter().all(|(ty, _)| ty == first) => (*first, members.len()),
                    _ => return Ok(None),
                }
            }
            elem => (elem, 1),
        };
        let kind = match elem {
            Ty::F32 | Ty::F16 => 2,
            Ty::U8 | Ty::U16 | Ty::U32 | Ty::Bool => 1,
            Ty::I8 | Ty::I16 | Ty::I32 => 0,
            _ => return Ok(None),
        };
        let bits = self.size_of(elem).cast_signed() * 8;
        let mut values: Vec<Value> = (0..4)
            .map(|idx| Value::int(if idx < num { bits } else { 0 }))
            .collect();
        values.push(Value::int(kind));
        self.struct_value("cudaChannelFormatDesc", &values).map(Some)
    }

    /// The offset and the type of a member, by the names of the members that lead to it.
    pub(super) fn path(&self, ty: Ty, path: &[&str]) -> Option<(u64, Ty)> {
        let mut at = (0, ty);
        for name in path {
            let Ty::Struct(id) = at.1 else { return None };
            let fields = &self.records.get(id as usize)?.fields;
            let field = fields.iter().find(|field| self.text(field.name) == *name)?;
            at = (at.0 + field.offset, field.ty);
        }
        Some(at)
    }

    /// A member of a struct behind a pointer, as a number.
    pub(super) fn behind_pointer(&mut self, pointer: &Value, path: &[&str], plus: u64) -> Value {
        let unknown = |machine: &mut Self| {
            let state = if is_known(pointer.state) {
                machine.reason("a struct that a call reads is unknown".to_owned())
            } else {
                pointer.state
            };
            Value::unknown(state)
        };
        let Ty::Pointer(to) = pointer.ty else {
            return unknown(self);
        };
        if !is_known(pointer.state) {
            return unknown(self);
        }
        let Some((offset, ty)) = self.path(self.pointee(to), path) else {
            return unknown(self);
        };
        let ty = match ty {
            Ty::Array(elem, _) => self.pointee(elem),
            ty => ty,
        };
        self.load(Location::known(pointer.bits + offset + plus, ty))
    }

    /// A member of a struct by value, as a number.
    fn member_of(&mut self, value: &Value, name: &str) -> Value {
        let found = self.path(value.ty, &[name]).zip(value.parts.clone());
        let Some(((offset, ty), parts)) = found else {
            return Value::unknown(self.reason("an extent is unknown".to_owned()));
        };
        let width = self.size_of(ty) as usize;
        let range = offset as usize..offset as usize + width;
        let mut bits = [0; 8];
        bits[..width].copy_from_slice(&parts.0[range.clone()]);
        let state = parts.1[range].iter().copied().max().unwrap_or(KNOWN);
        Value::new(ty, u64::from_le_bytes(bits), state)
    }

    /// The format that a description has; `None` if it is unknown or no texture has it.
    fn channels(&mut self, desc: &Value, path: &[&str]) -> Option<Channels> {
        let mut of = |name: &str| {
            let path: Vec<&str> = path.iter().copied().chain([name]).collect();
            let value = self.behind_pointer(desc, &path, 0);
            value.is_known().then_some(value.bits)
        };
        let bits = [of("x")?, of("y")?, of("z")?, of("w")?];
        let kind = of("f")?;
        let num = bits.iter().take_while(|bits| **bits > 0).count();
        if bits[..num].iter().any(|other| *other != bits[0]) {
            return None;
        }
        let elem = match (kind, bits[0]) {
            (0, 8) => ElemType::I8,
            (0, 16) => ElemType::I16,
            (0, 32) => ElemType::I32,
            (1, 8) => ElemType::U8,
            (1, 16) => ElemType::U16,
            (1, 32) => ElemType::U32,
            (2, 16) => ElemType::F16,
            (2, 32) => ElemType::F32,
            _ => return None,
        };
        matches!(num, 1 | 2 | 4).then_some(Channels { elem, num: num as u8 })
    }

    /// `cudaMallocArray` and `cudaMalloc3DArray`.
    fn new_array(
        &mut self,
        to: &Value,
        desc: &Value,
        extent: &[Value; 3],
        flags: &Value,
        name: String,
    ) -> Value {
        let Some(at) = self.target(to) else {
            return Value::int(0);
        };
        let channels = self.channels(desc, &[]);
        let is_known = extent.iter().chain([flags]).all(Value::is_known);
        let extents = [extent[0].bits, extent[1].bits, extent[2].bits];
        let is_small = extents.iter().all(|extent| *extent <= MAX_EXTENT);
        let Some(channels) = channels.filter(|_| is_known && is_small) else {
            let state = self.reason("the format or the extent of the array is unknown".to_owned());
            self.store(at, Value::new(at.ty, 0, state));
            return Value::int(0);
        };
        let texels: u64 = extents
            .iter()
            .map(|extent| (*extent).max(1))
            .fold(1, u64::saturating_mul);
        let bytes = texels
            .saturating_mul(channels.texel_bytes())
            .min(MAX_ALLOCATION_BYTES);
        let address = self.memory.alloc(bytes.max(1), Space::Device, name, self.line);
        if let Some((idx, _)) = self.memory.target(address) {
            let array = CudaArray {
                channels,
                extent: extents,
                flags: flags.bits,
            };
            self.arrays.insert(idx, array);
        }
        self.store(at, Value::new(at.ty, address, KNOWN));
        Value::int(0)
    }

    /// Where a copy starts in an array, and the bytes of the array's rows; `None` if it is unknown.
    fn in_array(&self, array: &Value, x: &Value, row: &Value) -> Option<(Value, u64)> {
        let (idx, _) = self.memory.target(array.bits).filter(|_| array.is_known())?;
        let of = self.arrays.get(&idx)?;
        let pitch = of.extent[0].max(1) * of.channels.texel_bytes();
        (x.is_known() && row.is_known()).then(|| {
            let bits = array
                .bits
                .wrapping_add(row.bits.wrapping_mul(pitch))
                .wrapping_add(x.bits);
            (
                Value {
                    bits,
                    ..array.clone()
                },
                pitch,
            )
        })
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of the runtime's function"
    )]
    fn copy_to_array(
        &mut self,
        array: &Value,
        x: &Value,
        row: &Value,
        from: &Value,
        from_pitch: &Value,
        width: &Value,
        height: &Value,
    ) {
        match self.in_array(array, x, row) {
            Some((to, pitch)) => {
                let pitch = Value::new(Ty::U64, pitch, KNOWN);
                self.copy_rows([&to, &pitch], [from, from_pitch], width, height);
            }
            None => self.lose_array(array),
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of the runtime's function"
    )]
    fn copy_from_array(
        &mut self,
        to: &Value,
        to_pitch: &Value,
        array: &Value,
        x: &Value,
        row: &Value,
        width: &Value,
        height: &Value,
    ) {
        match self.in_array(array, x, row) {
            Some((from, pitch)) => {
                let pitch = Value::new(Ty::U64, pitch, KNOWN);
                self.copy_rows([to, to_pitch], [&from, &pitch], width, height);
            }
            None => self.lose_array(to),
        }
    }

    fn lose_array(&mut self, at: &Value) {
        let state = self.reason("the extent of a copy of an array is unknown".to_owned());
        self.forget_at(at.bits, state, self.step);
    }

    /// `cudaMemcpy3D`
    fn copy_3d(&mut self, params: &Value) {
        let mut of = |path: &[&str]| self.behind_pointer(params, path, 0);
        let (to_array, from_array) = (of(&["dstArray"]), of(&["srcArray"]));
        let pointers = [["dstPtr", "ptr"], ["srcPtr", "ptr"]].map(|path| of(&path));
        let pitches = [["dstPtr", "pitch"], ["srcPtr", "pitch"]].map(|path| of(&path));
        let heights = [["dstPtr", "ysize"], ["srcPtr", "ysize"]].map(|path| of(&path));
        let extent = ["width", "height", "depth"].map(|name| of(&["extent", name]));
        let positions = ["dstPos", "srcPos"].map(|pos| ["x", "y", "z"].map(|axis| of(&[pos, axis])));
        let all = pitches
            .iter()
            .chain(&heights)
            .chain(&extent)
            .chain(positions.iter().flatten());
        let is_known = all.clone().all(Value::is_known);
        let arrays = [&to_array, &from_array].map(|array| {
            let (idx, _) = self
                .memory
                .target(array.bits)
                .filter(|_| array.is_known() && array.bits != 0)?;
            Some((array.bits, *self.arrays.get(&idx)?))
        });
        // An extent with an array counts texels, one of two pointers bytes.
        let texel = arrays
            .iter()
            .flatten()
            .map(|(_, array)| array.channels.texel_bytes())
            .max();
        let width = extent[0].bits.saturating_mul(texel.unwrap_or(1));
        let ends = [0, 1].map(|end: usize| {
            let position = positions[end].clone().map(|value| value.bits);
            let (base, pitch, rows, unit) = match arrays[end] {
                Some((base, array)) => {
                    let pitch = array.extent[0].max(1) * array.channels.texel_bytes();
                    (base, pitch, array.extent[1].max(1), array.channels.texel_bytes())
                }
                None => (pointers[end].bits, pitches[end].bits, heights[end].bits, 1),
            };
            let start = base.wrapping_add(position[0].wrapping_mul(unit)).wrapping_add(
                (position[2].wrapping_mul(rows))
                    .wrapping_add(position[1])
                    .wrapping_mul(pitch),
            );
            (start, pitch, rows)
        });
        let num_rows = extent[1].bits.max(1).saturating_mul(extent[2].bits.max(1));
        let has_ends =
            (0..2).all(|end| arrays[end].is_some() || pointers[end].is_known() && pointers[end].bits != 0);
        if !is_known || !has_ends || num_rows > MAX_EXTENT {
            let to = if to_array.bits != 0 {
                &to_array
            } else {
                &pointers[0]
            };
            let to = to.clone();
            self.lose_array(&to);
            return;
        }
        let void = self.pointer_to(Ty::Void);
        for layer in 0..extent[2].bits.max(1) {
            for row in 0..extent[1].bits.max(1) {
                let at = ends.map(|(start, pitch, rows)| {
                    let row = layer.wrapping_mul(rows).wrapping_add(row);
                    Value::new(void, start.wrapping_add(row.wrapping_mul(pitch)), KNOWN)
                });
                self.copy_bytes(&at[0], &at[1], Value::new(Ty::U64, width, KNOWN));
            }
        }
    }

    /// `cudaCreateTextureObject` and `cudaCreateSurfaceObject`.
    fn new_object(&mut self, to: &Value, resource: &Value, texture: Option<&Value>) -> Value {
        let Some(at) = self.target(to) else {
            return Value::int(0);
        };
        let at = Location { ty: Ty::U64, ..at };
        if let Some(object) = self.object(resource, texture) {
            let handle = self.memory.alloc(1, Space::Device, String::new(), self.line);
            if let Some((idx, _)) = self.memory.target(handle) {
                self.textures.insert(idx, object);
            }
            self.store(at, Value::new(Ty::U64, handle, KNOWN));
        } else {
            let line = self.line;
            let state = self.reason(format!(
                "the description of the texture or surface at line {line} is unknown or not supported"
            ));
            self.store(at, Value::new(Ty::U64, 0, state));
        }
        Value::int(0)
    }

    fn object(&mut self, resource: &Value, texture: Option<&Value>) -> Option<TextureObject> {
        const ARRAY: u64 = 0;
        const LINEAR: u64 = 2;
        const PITCHED: u64 = 3;
        let mut of = |path: &[&str]| {
            let value = self.behind_pointer(resource, path, 0);
            value.is_known().then_some(value.bits)
        };
        let kind = of(&["resType"])?;
        let sampler = |machine: &mut Self, elem| match texture {
            Some(texture) => machine.sampler(texture, elem),
            None => Some(Sampler::default()),
        };
        match kind {
            ARRAY => {
                let array = of(&["res", "array", "array"])?;
                let (allocation, _) = self.memory.target(array)?;
                let of = *self.arrays.get(&allocation)?;
                Some(TextureObject {
                    allocation,
                    start: 0,
                    channels: of.channels,
                    extent: of.extent,
                    flags: of.flags,
                    layout: Layout::Array,
                    pitch: of.extent[0].max(1) * of.channels.texel_bytes(),
                    sampler: sampler(self, of.channels.elem)?,
                })
            }
            LINEAR => {
                let (pointer, size) = (
                    of(&["res", "linear", "devPtr"])?,
                    of(&["res", "linear", "sizeInBytes"])?,
                );
                let channels = self.channels(resource, &["res", "linear", "desc"])?;
                let (allocation, start) = self.memory.place(pointer)?;
                Some(TextureObject {
                    allocation,
                    start,
                    channels,
                    extent: [size / channels.texel_bytes(), 0, 0],
                    flags: 0,
                    layout: Layout::Linear,
                    pitch: size,
                    sampler: sampler(self, channels.elem)?,
                })
            }
            PITCHED => {
                let pointer = of(&["res", "pitch2D", "devPtr"])?;
                let extent = [
                    of(&["res", "pitch2D", "width"])?,
                    of(&["res", "pitch2D", "height"])?,
                    0,
                ];
                let pitch = of(&["res", "pitch2D", "pitchInBytes"])?;
                let channels = self.channels(resource, &["res", "pitch2D", "desc"])?;
                let (allocation, start) = self.memory.place(pointer)?;
                Some(TextureObject {
                    allocation,
                    start,
                    channels,
                    extent,
                    flags: 0,
                    layout: Layout::Linear,
                    pitch,
                    sampler: sampler(self, channels.elem)?,
                })
            }
            _ => None,
        }
    }

    /// The sampling parameters of a `cudaTextureDesc`.
    fn sampler(&mut self, desc: &Value, elem: ElemType) -> Option<Sampler> {
        let mut of = |name: &str, plus: u64| {
            let value = self.behind_pointer(desc, &[name], plus);
            value.is_known().then_some(value.bits)
        };
        let normalized = of("normalizedCoords", 0)? != 0;
        let mut address = [AddressMode::Clamp; 3];
        for (axis, mode) in address.iter_mut().enumerate() {
            *mode = match of("addressMode", 4 * axis as u64)? {
                // Only normalized coordinates wrap (Programming Guide, "Texture Object API").
                0 | 2 if !normalized => AddressMode::Clamp,
                0 => AddressMode::Wrap,
                2 => AddressMode::Mirror,
                3 => AddressMode::Border,
                _ => AddressMode::Clamp,
            };
        }
        let is_small = matches!(elem, ElemType::I8 | ElemType::U8 | ElemType::I16 | ElemType::U16);
        Some(Sampler {
            filter: match of("filterMode", 0)? {
                1 => Filter::Linear,
                _ => Filter::Point,
            },
            address,
            normalized,
            reads_fractions: is_small && of("readMode", 0)? == 1,
        })
    }

    /// The texture or surface object that a number is the handle of.
    pub(in crate::host) fn texture_value(&mut self, value: &Value) -> Option<HostValue> {
        let (idx, 0) = self.memory.target(value.bits)? else {
            return None;
        };
        let object = *self.textures.get(&idx)?;
        let (shape, extent) = object.shape();
        Some(HostValue::Texture(Box::new(HostTexture {
            elem: object.channels.elem,
            channels: object.channels.num,
            shape,
            extent,
            layout: object.layout,
            start: object.start,
            pitch: object.pitch,
            sampler: object.sampler,
            contents: self.contents(object.allocation, 0),
        })))
    }
}
