//! The view of a constant load: one request per distinct address, in sequence.

use super::generations::{alike, name};
use super::lane_row;
use super::wording::constant_headline;
use crate::scene::kit::{Face, Sheet, table};
use crate::scene::lanes::Grid;
use crate::scene::{Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::words::fit_headline;
use engine::access::{ConstantAccess, constant, constant_requests};
use engine::sim::Access;
use engine::trace::Frame;

/// The requests of a constant load.
pub(super) fn constant_analysis(frame: &Frame, access: &Access) -> ConstantAccess {
    constant(frame.arch(), &access.addresses.map(|at| at as u32), access.mask)
}

/// Draws the view of a constant load.
pub(super) fn draw(frame: &Frame, view: &ViewState, size: Size, access: &Access) -> Scene {
    let grid = Grid::new(size.width);
    let served = constant_analysis(frame, access);
    let mut sheet = Sheet::default();
    let (top, lane_height) = if grid.phone { (26.0, 16.0) } else { (20.0, 22.0) };
    lane_row(&mut sheet, grid, view, (top, lane_height), |lane| {
        access.mask.contains(lane)
    });
    let low = top + lane_height;
    let y = low + 90.0;
    let num = served.requests.len().max(1);
    let span = grid.lane * 32.0 / num as f32;
    let label = Face::text(TextSize::Label, Role::Ink3);
    if grid.phone {
        sheet.text("Requests in sequence", grid.x, y - 20.0, label);
    } else {
        sheet.text("Requests", grid.margin, y + 11.0, label);
    }
    for (idx, request) in served.requests.iter().enumerate() {
        let step = idx as u16 + 1;
        let (x, w) = (grid.x + idx as f32 * span, span - 1.0);
        let target = Some(Target::Fetch(idx as u16));
        let shape = Shape::Rect { x, y, w, h: 22.0 };
        sheet.put(shape, Role::Pass(step), Texture::Solid, target);
        let face = Face::mono(TextSize::Micro, Role::OnPass(step)).strong().center();
        let address = format!("0x{:x}", request.address);
        let text = if face.width(&address) + 4.0 < w {
            address
        } else {
            step.to_string()
        };
        if face.width(&text) < w {
            sheet.text(&text, x + w / 2.0, y + 11.0, face);
        }
        for lane in request.lanes.lanes() {
            let (xa, xb) = (grid.middle(lane), x + w / 2.0);
            let shape = Shape::Curve {
                from: (xa, low + 3.0),
                c1: (xa, low + 44.0),
                c2: (xb, y - 46.0),
                to: (xb, y - if grid.phone { 30.0 } else { 2.0 }),
                width: 1.25,
            };
            sheet.put(shape, Role::Pass(step), Texture::Fade(0.8), None);
        }
    }
    let mut at = y + 52.0;
    let head = Face::text(TextSize::Body, Role::Ink1).strong();
    sheet.text("The same load on every generation", grid.margin, at, head);
    sheet.text("requests", grid.right(), at, label.right());
    at += 24.0;
    let offsets = access.addresses.map(|address| address as u32);
    let requests = |arch| constant_requests(arch, &offsets, access.mask);
    for (machines, num) in alike(frame.arch(), requests) {
        let current = machines.iter().any(|arch| arch.id == frame.arch().id);
        if current {
            let w = grid.right() - grid.margin + 16.0;
            sheet.rect(grid.margin - 8.0, at - 11.0, w, 22.0, Role::Paper3);
        }
        let face = Face::text(TextSize::Label, Role::Ink1);
        let figure = Face::mono(TextSize::Body, Role::Ink1).right();
        let strong = |face: Face| if current { face.strong() } else { face };
        sheet.text(&name(&machines), grid.margin, at, strong(face));
        for idx in 0..num {
            let x = grid.margin + 116.0 + idx as f32 * 7.0;
            if x + 8.0 < grid.right() - 40.0 {
                sheet.rect(x, at - 6.0, 6.0, 12.0, Role::Pass(idx as u16 + 1));
            }
        }
        sheet.text(&num.to_string(), grid.right(), at, strong(figure));
        at += 24.0;
    }
    let rows = (0..32)
        .map(|lane| {
            let place = served
                .requests
                .iter()
                .position(|request| request.lanes.contains(lane));
            let Some(place) = place else {
                return [lane.to_string(), "off".to_owned(), "–".to_owned()];
            };
            [
                lane.to_string(),
                format!("0x{:x}", served.requests[place].address),
                (place + 1).to_string(),
            ]
        })
        .collect();
    sheet.finish(
        Size {
            width: size.width,
            height: at.max(size.height),
        },
        fit_headline(constant_headline(frame, access)),
        table(["Lane", "Offset", "Request"], rows),
    )
}
