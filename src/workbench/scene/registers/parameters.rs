//! The kernel parameters in constant memory, which are the same for all lanes of all warps.

use super::super::kit::{Face, Sheet, table};
use super::super::{NumberFormat, Role, Scene, Size, Target, TextSize, ViewState};
use super::number::number;
use crate::words::fit_headline;
use engine::ids::Cycle;
use engine::isa::{ElemType, Param, ParamType, bank0};
use engine::trace::Frame;

/// One value of the launch configuration or of a parameter.
struct Line {
    name: String,
    what: String,
    offset: u16,
    /// The value in the chosen format.
    value: String,
    /// The value in the format of its type.
    typed: String,
}

fn bytes_at(bank: &[u8], offset: usize, num: usize) -> u64 {
    (0..num.min(8)).rev().fold(0, |value, at| {
        value << 8 | u64::from(bank.get(offset + at).copied().unwrap_or(0))
    })
}

fn typed(bits: u64, ty: ElemType) -> String {
    match ty {
        ElemType::I8 => (bits as i8).to_string(),
        ElemType::U8 => (bits as u8).to_string(),
        ElemType::I16 => (bits as i16).to_string(),
        ElemType::U16 => (bits as u16).to_string(),
        ElemType::I32 => (bits as i32).to_string(),
        ElemType::U32 => (bits as u32).to_string(),
        ElemType::I64 => (bits as i64).to_string(),
        ElemType::U64 => bits.to_string(),
        ElemType::F16 => format!("0x{:04x}", bits as u16),
        ElemType::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        ElemType::F64 => format!("{:?}", f64::from_bits(bits)),
    }
}

fn lines(frame: &Frame, format: NumberFormat) -> Vec<Line> {
    let bank = frame
        .trace()
        .with_machine(frame.cycle(), |machine| machine.parameters().to_vec());
    let mut lines = Vec::new();
    for (first, name) in [(bank0::BLOCK_DIM, "blockDim"), (bank0::GRID_DIM, "gridDim")] {
        for (idx, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let offset = first + 4 * idx as u16;
            let bits = bytes_at(&bank, offset.into(), 4);
            lines.push(Line {
                name: format!("{name}.{axis}"),
                what: "unsigned int".to_owned(),
                offset,
                value: number(bits, false, format),
                typed: bits.to_string(),
            });
        }
    }
    for param in &frame.trace().program().params {
        lines.extend(of_param(param, &bank, format));
    }
    lines
}

fn of_param(param: &Param, bank: &[u8], format: NumberFormat) -> Vec<Line> {
    let offset = usize::from(bank0::PARAMS) + param.offset as usize;
    let line = |name: String, at: usize, num: usize, typed: String| Line {
        name,
        what: param.c_type.clone(),
        offset: at as u16,
        value: number(bytes_at(bank, at, num), num > 4, format),
        typed,
    };
    let (num, bits) = (param.size as usize, bytes_at(bank, offset, param.size as usize));
    match &param.ty {
        ParamType::Scalar(ty) => vec![line(param.name.clone(), offset, num, typed(bits, *ty))],
        ParamType::Pointer { .. } | ParamType::Texture { .. } => {
            vec![line(param.name.clone(), offset, num, format!("0x{bits:x}"))]
        }
        ParamType::Bytes => (0..num)
            .step_by(4)
            .map(|at| {
                let bits = bytes_at(bank, offset + at, 4);
                line(
                    format!("{}+{at}", param.name),
                    offset + at,
                    4,
                    format!("0x{bits:08x}"),
                )
            })
            .collect(),
    }
}

/// Draws the list.
pub(super) fn parameters(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let lines = lines(frame, view.settings.format);
    let mut sheet = Sheet::default();
    let phone = size.width < 520.0;
    let margin = if phone { 12.0 } else { 20.0 };
    let (type_x, value_x) = if phone { (0.0, 118.0) } else { (170.0, 340.0) };
    let mut y = 20.0;
    let head = Face::text(TextSize::Label, Role::Ink3);
    sheet.text("Name", margin, y, head);
    if !phone {
        sheet.text("Type", margin + type_x, y, head);
        sheet.text("c[0x0]", size.width - margin, y, head.right());
    }
    sheet.text("Value in all lanes", margin + value_x, y, head);
    y += 12.0;
    for line in &lines {
        sheet.line(
            (margin, y + 0.5),
            (size.width - margin, y + 0.5),
            1.0,
            Role::Line1,
        );
        let middle = y + 11.0;
        let name = Face::mono(TextSize::Label, Role::Ink1);
        sheet.text(
            &name.fit(&line.name, if phone { 112.0 } else { 162.0 }),
            margin,
            middle,
            name,
        );
        let note = Face::mono(TextSize::Label, Role::Ink3);
        if !phone {
            sheet.text(&note.fit(&line.what, 162.0), margin + type_x, middle, note);
            sheet.text(
                &format!("0x{:03x}", line.offset),
                size.width - margin,
                middle,
                note.right(),
            );
        }
        let both = format!("{}  {}", line.typed, line.value);
        let text = if line.typed == line.value {
            &line.typed
        } else {
            &both
        };
        let room = size.width - margin - value_x - margin - if phone { 0.0 } else { 50.0 };
        sheet.text(&name.fit(text, room), margin + value_x, middle, name);
        sheet.area(
            margin,
            y,
            size.width - 2.0 * margin,
            22.0,
            Target::Parameter(line.offset),
        );
        y += 22.0;
    }
    let num = frame.trace().program().params.len() as u64;
    let rows = lines
        .into_iter()
        .map(|line| {
            [
                line.name,
                line.what,
                format!("0x{:03x}", line.offset),
                line.typed,
                line.value,
            ]
        })
        .collect();
    let height = (y + 12.0).max(size.height);
    let size = Size { height, ..size };
    sheet.finish(
        size,
        fit_headline(super::wording::parameters_headline(num)),
        table(
            [
                "Name",
                "Type",
                "Offset in c[0x0]",
                "Value",
                "Value in the chosen format",
            ],
            rows,
        ),
    )
}

/// Tooltip of a parameter word.
pub(super) fn parameter_tooltip(frame: &Frame, offset: u16) -> Option<(String, String)> {
    let frame = frame.trace().frame(Cycle(0));
    let line = lines(&frame, NumberFormat::Hex)
        .into_iter()
        .find(|line| line.offset == offset)?;
    Some((
        format!("{} = {}", line.name, line.typed),
        format!("{}, c[0x0][0x{:03x}], 0x{}", line.what, line.offset, line.value),
    ))
}
