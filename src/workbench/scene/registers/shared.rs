//! Words of a block's shared memory: a column is a bank, a row is what all banks hold side by side. In banks
//! of eight bytes each holds two columns, and a row is one half of the banks or the other.

use super::super::kit::{Face, Sheet};
use super::super::words::{counted, headline, thousands};
use super::super::{Role, Scene, Size, Target, TextSize, ViewState};
use super::contents::Write;
use super::lanes::{self, Cell, Grid, Look};
use super::number::number;
use super::told::{all_formats, instruction_text};
use super::wide_table;
use engine::arch::Banks;
use engine::ids::{BlockId, Cycle, LaneMask, SlotIdx};
use engine::isa::{Symbol, SymbolSpace};
use engine::sim::RequestKind;
use engine::trace::Frame;

/// Writes are looked for among the accesses of so many cycles up to now.
const WRITE_CYCLES: u64 = 512;
/// Bytes of a part that is shown at once.
const PAGE_BYTES: u32 = 16 << 10;

/// Parts into which the shared memory of a block of this run is cut, in bytes: first, and end.
pub(super) fn shared_pages(frame: &Frame) -> Vec<(u32, u32)> {
    let trace = frame.trace();
    let bytes = trace.program().static_shared_bytes + trace.launch().dynamic_shared;
    (0..bytes.div_ceil(PAGE_BYTES))
        .map(|page| (page * PAGE_BYTES, ((page + 1) * PAGE_BYTES).min(bytes)))
        .collect()
}

/// What a block's shared memory holds at a cycle, a word each.
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

/// What accesses did to the words of a block.
#[derive(Default)]
struct Traffic {
    writes: Vec<Option<(Write, SlotIdx)>>,
    /// Words that are read by what issues in this cycle.
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
        // The newest first: its replay passes by the older ones, which are then at hand.
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

/// `tile[0][3]`: the variable's element that begins in a word, or holds it.
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
        return super::empty(size, "This kernel has no shared memory.".to_owned(), false);
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
    let look = Look {
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
                written: write.is_some_and(|write| write.cycle == look.now),
                changed: words.changed(idx),
                target: Some(Target::SharedWord {
                    block: words.block.0,
                    offset: word * 4,
                }),
            };
            let x = grid.x + (word - start) as f32 * pitch;
            let place = (x, y, pitch - 1.0, row_height - 1.0);
            lanes::draw_cell(&mut sheet, look.now, place, &cell);
            if traffic.read.contains(&idx) {
                let (x, y, w, h) = place;
                sheet.frame(x, y, w, h, Role::State(super::super::Mark::Issue), 1.5);
            }
        }
        draw_row_values(
            &mut sheet,
            &look,
            &words,
            (grid.x, pitch),
            (start, row_end),
            (y, row_height),
            &traffic,
        );
        y += row_height;
        if chosen_row == Some(row) {
            y += draw_chosen(&mut sheet, grid, &look, &words, (start, row_end), y);
        }
    }
    if let (Some(word), Some(row)) = (chosen, chosen_row) {
        let x = grid.x + ((word - first) % banks) as f32 * pitch;
        let top = top + row as f32 * row_height;
        sheet.selection(x - 2.0, top - 2.0, pitch + 3.0, row_height + 3.0);
    }
    y += 12.0;
    lanes::draw_key(&mut sheet, grid, size, y, false);
    let rows = twin(frame, &words, &traffic, (first, end, banks), view);
    let height = (y + key).max(size.height);
    sheet.finish(
        Size { height, ..size },
        headline(sentence(frame, &words, &traffic)),
        wide_table(
            &["First word", "Byte", "Last stored by"],
            if frame.banks().words() > 1 { "Word" } else { "Bank" },
            banks as usize,
            rows,
        ),
    )
}

/// The row of 32 words, or of 16, that holds the selected one.
fn draw_chosen(
    sheet: &mut Sheet,
    grid: Grid,
    look: &Look,
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
    let look = Look {
        live: LaneMask::first(end - start),
        ..*look
    };
    lanes::draw_open(sheet, grid, &look, (&values, false), LaneMask(changed), y)
}

fn no_block(frame: &Frame, slot: SlotIdx) -> String {
    match frame.record().block_at(slot, frame.cycle()) {
        Some(block) => format!("Block {} has finished: its shared memory is free again.", block.0),
        None => format!(
            "No block has come to slot {} yet: it holds no shared memory.",
            slot.0
        ),
    }
}

fn draw_banks(sheet: &mut Sheet, grid: Grid, banks: Banks, pitch: f32) {
    let (y, h) = grid.head();
    // Of the banks of eight bytes, the first half is in one row and the second in the next.
    let (num, pitch) = (banks.num / banks.words(), pitch * banks.words() as f32);
    let face = if grid.phone {
        Face::text(TextSize::Micro, Role::Ink3)
    } else {
        Face::text(TextSize::Label, Role::Ink3)
    };
    sheet.text("Bank", grid.margin, y + h / 2.0, face);
    let step = if grid.phone { 8 / banks.words() } else { 1 };
    for bank in (0..num).filter(|bank| bank % step == 0 || bank + 1 == num) {
        let face = Face::mono(TextSize::Micro, Role::Ink3).centre();
        let x = grid.x + (bank as f32 + 0.5) * pitch - 0.5;
        let text = if num < banks.num {
            format!("{bank}/{}", bank + num)
        } else {
            bank.to_string()
        };
        sheet.text(&text, x, y + h / 2.0, face);
    }
}

/// Left of a row: the variable's element, or the byte offset.
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

/// Values in the cells, where all of the row fit.
fn draw_row_values(
    sheet: &mut Sheet,
    look: &Look,
    words: &Words,
    (x, pitch): (f32, f32),
    (start, end): (u32, u32),
    (y, h): (f32, f32),
    traffic: &Traffic,
) {
    let face = Face::mono(TextSize::Micro, Role::Ink1).centre();
    let texts: Vec<String> = (start..end)
        .map(|word| number(words.now[word as usize].into(), false, look.format))
        .collect();
    if texts.iter().any(|text| face.width(text) > pitch - 3.0) {
        return;
    }
    for (place, text) in texts.iter().enumerate() {
        let write = traffic.writes[start as usize + place];
        let role = if write.is_some_and(|(write, _)| write.cycle == look.now) {
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

fn sentence(frame: &Frame, words: &Words, traffic: &Traffic) -> String {
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
            format!(
                "{} stores {} of block {block}; {} of them change.",
                frame.warp_name(*slot),
                counted(stored.count() as u64, "word"),
                thousands(changed)
            )
        }
        Some((write, slot)) => format!(
            "No word of block {block} is stored now; {} stored last, {} ago.",
            frame.trace().frame(Cycle(write.cycle)).warp_name(*slot),
            counted(now - write.cycle, "cycle")
        ),
        None => format!(
            "No word of block {block} was stored in the last {} cycles.",
            thousands(WRITE_CYCLES.min(now + 1))
        ),
    }
}

fn twin(
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

/// What a tooltip says of a word.
pub(super) fn word_tip(frame: &Frame, block: u32, offset: u32) -> Option<(String, String)> {
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
