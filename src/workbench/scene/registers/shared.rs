//! The words of a block's shared memory. A column is a bank, and a row is one word per bank. An 8-byte bank spans
//! two columns, and a row holds one half of the banks.

use super::super::kit::{Face, Sheet};
use super::super::{Role, Scene, Size, Target, TextSize, ViewState};
use super::contents::Write;
use super::lanes::{self, Cell, Grid, RowStyle};
use super::number::number;
use super::wide_table;
use super::wording::{all_formats, instruction_text, last_store, no_block, no_recent_store, stores};
use crate::words::{fit_headline, thousands};
use engine::arch::Banks;
use engine::ids::{BlockId, Cycle, LaneMask, SlotIdx};
use engine::isa::{Symbol, SymbolSpace};
use engine::sim::RequestKind;
use engine::trace::Frame;

/// Cycles before the current one to search for writes.
const WRITE_CYCLES: u64 = 512;
/// Bytes of a page.
const PAGE_BYTES: u32 = 16 << 10;

/// The pages of a block's shared memory in this run: first byte and end of each.
pub(super) fn shared_pages(frame: &Frame) -> Vec<(u32, u32)> {
    let trace = frame.trace();
    let bytes = trace.program().static_shared_bytes + trace.launch().dynamic_shared;
    (0..bytes.div_ceil(PAGE_BYTES))
        .map(|page| (page * PAGE_BYTES, ((page + 1) * PAGE_BYTES).min(bytes)))
        .collect()
}

/// The contents of a block's shared memory at a cycle, in words.
struct Words {
    block: BlockId,
    now: Vec<u32>,
    before: Vec<u32>,
}

fn words_at(frame: &Frame, block: BlockId, cycle: Cycle) -> Option<Vec<u32>> {
    frame.trace().with_machine(cycle, |machine| {
        let bytes = machine.shared_memory(block)?;
        let word = |chunk: &[u8]| {
            let at = |idx: usize| u32::from(chunk.get(idx).copied().unwrap_or(0)) << (8 * idx);
            at(0) | at(1) | at(2) | at(3)
        };
        Some(bytes.chunks(4).map(word).collect())
    })
}

impl Words {
    fn of(frame: &Frame, block: BlockId) -> Option<Self> {
        let before = frame
            .cycle()
            .0
            .checked_sub(1)
            .and_then(|cycle| words_at(frame, block, Cycle(cycle)));
        let now = words_at(frame, block, frame.cycle())?;
        Some(Self {
            block,
            before: before.unwrap_or_else(|| now.clone()),
            now,
        })
    }

    fn changed(&self, idx: usize) -> bool {
        self.before.get(idx) != self.now.get(idx)
    }
}

/// The accesses to the words of a block.
#[derive(Default)]
struct Traffic {
    writes: Vec<Option<(Write, SlotIdx)>>,
    /// Words that the issuing instructions of this cycle read.
    read: Vec<usize>,
}

impl Traffic {
    fn of(frame: &Frame, block: BlockId, num: usize) -> Self {
        let mut traffic = Self {
            writes: vec![None; num],
            read: Vec::new(),
        };
        let (record, now) = (frame.record(), frame.cycle());
        let first = record.first_access_at(Cycle((now.0 + 1).saturating_sub(WRITE_CYCLES)));
        let last = record.first_access_at(Cycle(now.0 + 1));
        let rows: Vec<u32> = (first..last)
            .rev()
            .filter(|idx| {
                record.access(*idx).is_some_and(|row| {
                    let stores = row.kind != RequestKind::SharedLoad || row.issued == now;
                    row.kind.is_shared() && stores && record.block_at(row.slot, row.issued) == Some(block)
                })
            })
            .collect();
        // Newest first: its replay passes the older accesses, which are then cached.
        for idx in rows {
            let (Some(row), Some(access)) = (record.access(idx), frame.trace().access_detail(idx)) else {
                continue;
            };
            for lane in access.mask.lanes() {
                let first = (access.addresses[lane as usize] / 4) as usize;
                let end = first + usize::from(access.width_bits.div_ceil(32)).max(1);
                for word in (first..end).filter(|word| *word < num) {
                    if row.kind == RequestKind::SharedLoad {
                        traffic.read.push(word);
                    } else {
                        let write = Write {
                            cycle: row.issued.0,
                            pc: row.pc,
                        };
                        traffic.writes[word].get_or_insert((write, row.slot));
                    }
                }
            }
        }
        traffic
    }
}

/// The element of a variable that begins in a word or contains it: `tile[0][3]`.
fn name_of(frame: &Frame, offset: u32) -> Option<String> {
    let holds = |symbol: &&Symbol| {
        symbol.space == SymbolSpace::Shared
            && symbol.offset <= offset
            && (symbol.size == 0 || offset < symbol.offset + symbol.size)
    };
    let symbol = frame.trace().program().symbols.iter().find(holds)?;
    let Some(elem) = symbol.elem else {
        return Some(symbol.name.clone());
    };
    let mut idx = (offset - symbol.offset) / elem.bytes();
    let mut places = Vec::new();
    for extent in symbol.dims.iter().skip(1).rev() {
        places.push(idx % extent.max(&1));
        idx /= extent.max(&1);
    }
    let mut name = symbol.name.clone();
    if !symbol.dims.is_empty() || symbol.size == 0 {
        places.push(idx);
    }
    for place in places.iter().rev() {
        name += &format!("[{place}]");
    }
    Some(name)
}

/// Draws the words.
pub(super) fn shared(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let slot = view.slot.unwrap_or(SlotIdx(0));
    let pages = shared_pages(frame);
    if pages.is_empty() {
        return super::empty(size, super::wording::NO_SHARED_MEMORY.to_owned(), false);
    }
    let Some(words) = frame.block(slot).and_then(|block| Words::of(frame, block)) else {
        return super::empty(size, no_block(frame, slot), false);
    };
    let banks = u32::from(frame.arch().memory.shared.banks.value).clamp(1, 32);
    let traffic = Traffic::of(frame, words.block, words.now.len());
    let page = pages[usize::from(view.settings.page).min(pages.len() - 1)];
    let (first, end) = (page.0 / 4, (page.1 / 4).min(words.now.len() as u32));
    let num_rows = (end - first).div_ceil(banks);
    let grid = Grid::with_names(size.width);
    let pitch = (grid.right() - grid.x) / banks as f32;
    let style = RowStyle {
        now: frame.cycle().0,
        slot: slot.0,
        live: LaneMask::FULL,
        format: view.settings.format,
        lane: None,
    };
    let chosen = view
        .word
        .map(|offset| offset / 4)
        .filter(|word| (first..end).contains(word));
    let chosen_row = chosen.map(|word| (word - first) / banks);
    let open_height = if chosen.is_some() {
        grid.values_height(false)
    } else {
        0.0
    };
    let (head_y, head_height) = grid.head();
    let top = head_y + head_height + 8.0;
    let key = lanes::key_height(size.width);
    let room = size.height - top - key - 14.0 - open_height;
    let row_height = (room / num_rows as f32).floor().clamp(super::ROW.0, super::ROW.1);

    let mut sheet = Sheet::default();
    draw_banks(&mut sheet, grid, frame.banks(), pitch);
    let mut y = top;
    for row in 0..num_rows {
        let start = first + row * banks;
        draw_label(&mut sheet, frame, grid, start * 4, y + row_height / 2.0);
        let row_end = (start + banks).min(end);
        for word in start..row_end {
            let idx = word as usize;
            let write = traffic.writes[idx].map(|(write, _)| write);
            let cell = Cell {
                write,
                lives: true,
                written: write.is_some_and(|write| write.cycle == style.now),
                changed: words.changed(idx),
                target: Some(Target::SharedWord {
                    block: words.block.0,
                    offset: word * 4,
                }),
            };
            let x = grid.x + (word - start) as f32 * pitch;
            let place = (x, y, pitch - 1.0, row_height - 1.0);
            lanes::draw_cell(&mut sheet, style.now, place, &cell);
            if traffic.read.contains(&idx) {
                let (x, y, w, h) = place;
                sheet.frame(x, y, w, h, Role::State(super::super::Mark::Issue), 1.5);
            }
        }
        draw_row_values(
            &mut sheet,
            &style,
            &words,
            (grid.x, pitch),
            (start, row_end),
            (y, row_height),
            &traffic,
        );
        y += row_height;
        if chosen_row == Some(row) {
            y += draw_chosen(&mut sheet, grid, &style, &words, (start, row_end), y);
        }
    }
    if let (Some(word), Some(row)) = (chosen, chosen_row) {
        let x = grid.x + ((word - first) % banks) as f32 * pitch;
        let top = top + row as f32 * row_height;
        sheet.selection(x - 2.0, top - 2.0, pitch + 3.0, row_height + 3.0);
    }
    y += 12.0;
    lanes::draw_key(&mut sheet, grid, size, y, false);
    let rows = table_rows(frame, &words, &traffic, (first, end, banks), view);
    let height = (y + key).max(size.height);
    sheet.finish(
        Size { height, ..size },
        fit_headline(headline(frame, &words, &traffic)),
        wide_table(
            &["First word", "Byte", "Last stored by"],
            if frame.banks().words() > 1 { "Word" } else { "Bank" },
            banks as usize,
            rows,
        ),
    )
}

/// Draws the row of 32 or 16 words that contains the selected word.
fn draw_chosen(
    sheet: &mut Sheet,
    grid: Grid,
    style: &RowStyle,
    words: &Words,
    (start, end): (u32, u32),
    y: f32,
) -> f32 {
    let mut values = [0; 32];
    let mut changed = 0;
    for word in start..end {
        let place = (word - start) as usize;
        values[place] = u64::from(words.now[word as usize]);
        changed |= u32::from(words.changed(word as usize)) << place;
    }
    let style = RowStyle {
        live: LaneMask::first(end - start),
        ..*style
    };
    lanes::draw_open(sheet, grid, &style, (&values, false), LaneMask(changed), y)
}

fn draw_banks(sheet: &mut Sheet, grid: Grid, banks: Banks, pitch: f32) {
    let (y, h) = grid.head();
    // With 8-byte banks, one row holds the first half of the banks and the next row the second half.
    let (num, pitch) = (banks.num / banks.words(), pitch * banks.words() as f32);
    let face = if grid.phone {
        Face::text(TextSize::Micro, Role::Ink3)
    } else {
        Face::text(TextSize::Label, Role::Ink3)
    };
    sheet.text("Bank", grid.margin, y + h / 2.0, face);
    let widest = if num < banks.num { "15/31" } else { "31" };
    let width = Face::mono(TextSize::Micro, Role::Ink3).width(widest) + 3.0;
    let apart = [1, 2, 4, 8]
        .into_iter()
        .find(|step| *step as f32 * pitch >= width);
    let step = if grid.phone {
        8 / banks.words()
    } else {
        apart.unwrap_or(8)
    };
    // The last number only where it does not touch the one before.
    let ends = grid.phone || step == 1;
    for bank in (0..num).filter(|bank| bank % step == 0 || ends && bank + 1 == num) {
        let face = Face::mono(TextSize::Micro, Role::Ink3).center();
        let x = grid.x + (bank as f32 + 0.5) * pitch - 0.5;
        let text = if num < banks.num {
            format!("{bank}/{}", bank + num)
        } else {
            bank.to_string()
        };
        sheet.text(&text, x, y + h / 2.0, face);
    }
}

/// Draws the label left of a row: the variable's element, or the byte offset.
fn draw_label(sheet: &mut Sheet, frame: &Frame, grid: Grid, offset: u32, middle: f32) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let room = grid.x - grid.margin - 4.0;
    let byte = if grid.phone {
        format!("{offset:x}")
    } else {
        format!("0x{offset:04x}")
    };
    let name = name_of(frame, offset).filter(|name| face.width(name) <= room);
    match name {
        Some(name) => {
            sheet.text(&name, grid.margin, middle, face.role(Role::Ink2));
            if !grid.phone {
                sheet.text(&byte, grid.right() + 5.0, middle, face);
            }
        }
        None => sheet.text(&byte, grid.margin, middle, face),
    }
}

/// Draws the values in the cells, if all values of the row fit.
fn draw_row_values(
    sheet: &mut Sheet,
    style: &RowStyle,
    words: &Words,
    (x, pitch): (f32, f32),
    (start, end): (u32, u32),
    (y, h): (f32, f32),
    traffic: &Traffic,
) {
    let face = Face::mono(TextSize::Micro, Role::Ink1).center();
    let texts: Vec<String> = (start..end)
        .map(|word| number(words.now[word as usize].into(), false, style.format))
        .collect();
    if texts.iter().any(|text| face.width(text) > pitch - 3.0) {
        return;
    }
    for (place, text) in texts.iter().enumerate() {
        let write = traffic.writes[start as usize + place];
        let role = if write.is_some_and(|(write, _)| write.cycle == style.now) {
            Role::OnIssue
        } else {
            Role::Ink1
        };
        sheet.text(
            text,
            x + (place as f32 + 0.5) * pitch - 0.5,
            y + h / 2.0 - 0.5,
            face.role(role),
        );
    }
}

/// The headline about the block's shared memory.
fn headline(frame: &Frame, words: &Words, traffic: &Traffic) -> String {
    let (now, block) = (frame.cycle().0, words.block.0);
    let last = traffic
        .writes
        .iter()
        .flatten()
        .max_by_key(|(write, _)| write.cycle);
    match last {
        Some((write, slot)) if write.cycle == now => {
            let stored = traffic
                .writes
                .iter()
                .flatten()
                .filter(|(other, _)| other.cycle == now);
            let changed = (0..words.now.len()).filter(|idx| words.changed(*idx)).count() as u64;
            stores(&frame.warp_name(*slot), stored.count() as u64, block, changed)
        }
        Some((write, slot)) => {
            let warp = frame.trace().frame(Cycle(write.cycle)).warp_name(*slot);
            last_store(block, &warp, now - write.cycle)
        }
        None => no_recent_store(block, WRITE_CYCLES.min(now + 1)),
    }
}

fn table_rows(
    frame: &Frame,
    words: &Words,
    traffic: &Traffic,
    (first, end, banks): (u32, u32, u32),
    view: &ViewState,
) -> Vec<Vec<String>> {
    (first..end)
        .step_by(banks as usize)
        .map(|start| {
            let row = start..(start + banks).min(end);
            let last = row
                .clone()
                .filter_map(|word| traffic.writes[word as usize])
                .max_by_key(|(write, _)| write.cycle);
            let who = last.map_or_else(String::new, |(write, slot)| {
                let name = frame.trace().frame(Cycle(write.cycle)).warp_name(slot);
                format!(
                    "{name} {}, cycle {}",
                    instruction_text(frame, write.pc),
                    thousands(write.cycle)
                )
            });
            let mut cells = vec![
                name_of(frame, start * 4).unwrap_or_else(|| "–".to_owned()),
                format!("0x{:04x}", start * 4),
                who,
            ];
            cells.extend(
                row.clone()
                    .map(|word| number(words.now[word as usize].into(), false, view.settings.format)),
            );
            cells.resize(3 + banks as usize, "–".to_owned());
            cells
        })
        .collect()
}

/// Tooltip of a word of shared memory.
pub(super) fn word_tooltip(frame: &Frame, block: u32, offset: u32) -> Option<(String, String)> {
    let block = BlockId(block);
    let words = words_at(frame, block, frame.cycle())?;
    let bits = *words.get(offset as usize / 4)?;
    let bank = frame.banks().bank(offset);
    let name = name_of(frame, offset).unwrap_or_else(|| format!("0x{offset:04x}"));
    let traffic = Traffic::of(frame, block, words.len());
    let who = traffic.writes[offset as usize / 4].map_or_else(String::new, |(write, slot)| {
        let warp = frame.trace().frame(Cycle(write.cycle)).warp_name(slot);
        format!(
            "; ← {} of {warp}, cycle {}",
            instruction_text(frame, write.pc),
            thousands(write.cycle)
        )
    });
    Some((
        format!("{name}, bank {bank}"),
        format!("{}{who}", all_formats(bits)),
    ))
}
