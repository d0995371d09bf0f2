//! The launch form: dimensions, arguments, `__device__` variables, and options.

use web_sys::{Element, HtmlSelectElement, HtmlTextAreaElement};
use yew::{AttrValue, Callback, Html, TargetCast, html};

use super::field::TextField;
use engine::isa::ElemType;
use engine::launch::Role;
use workbench::app::form::number::{TYPES, type_name};
use workbench::app::form::{self, BufferRow, FormChoice, PatternKind, Place, Row, RowKind};
use workbench::app::{Event, LaunchField, Panel, Session, SetUpPart};
use workbench::run_option::{Button, RUN_OPTIONS, RunOption};
use workbench::scene::{Target, thousands};

/// The roles of a buffer with their names in the menu.
const ROLES: [(Role, &str); 4] = [
    (Role::In, "in"),
    (Role::Out, "out"),
    (Role::InOut, "in and out"),
    (Role::Scratch, "scratch"),
];

/// The launch form as a section of the setup panel.
pub(crate) fn launch(session: &Session, dispatch: &Callback<Event>) -> Html {
    let form = Form { session, dispatch };
    let launch = session.setup().launch();
    let dynamic = (launch.dynamic_shared > 0 || session.derived().uses_dynamic_shared()).then(|| {
        let text = launch.dynamic_shared.to_string();
        form.labelled(
            "Dynamic",
            LaunchField::DynamicShared,
            text,
            "field short",
            "launch-dynamic",
        )
    });
    // Nodes that are absent keep their place in the list, so that the fields beside them keep their state.
    let dynamic: Html = dynamic.unwrap_or_default();
    let dims = [LaunchField::Grid, LaunchField::Block, LaunchField::DynamicShared];
    html! {
        <section class="sec" data-part={part_name(SetUpPart::Launch)}>
            <div class="launch">
                { form.labelled("Grid", LaunchField::Grid, form::dims_text(launch.grid), "field", "launch-grid") }
                { form.labelled("Block", LaunchField::Block, form::dims_text(launch.block), "field", "launch-block") }
                { dynamic }
            </div>
            { form.refusals(|field| dims.contains(&field)) }
            { form.host() }
            { form.notes() }
            { form.arguments() }
            { form.options() }
        </section>
    }
}

/// The form during one render.
#[derive(Clone, Copy)]
struct Form<'a> {
    session: &'a Session,
    dispatch: &'a Callback<Event>,
}

impl Form<'_> {
    /// A text field. Text that is not a valid value stays in the field.
    fn input(self, name: &str, field: LaunchField, value: String, class: &'static str, id: &str) -> Html {
        let draft = self.session.side().drafts.get(&field);
        let on_text = self.dispatch.reform(move |text| Event::Launch(field, text));
        let value = draft.map_or(value, |(text, _)| text.clone());
        html! {
            <TextField {class} {value} id={id.to_owned()} name={name.to_owned()} sets={format!("{field:?}")}
                is_invalid={draft.is_some()} {on_text}/>
        }
    }

    /// A text field with its label.
    fn labelled(self, name: &str, field: LaunchField, value: String, class: &'static str, id: &str) -> Html {
        html! { <label>{ name.to_owned() }{ self.input(name, field, value, class, id) }</label> }
    }

    /// The errors of the fields with invalid text.
    fn refusals(self, is_shown: impl Fn(LaunchField) -> bool) -> Html {
        let shown = self
            .session
            .side()
            .drafts
            .iter()
            .filter(|(field, _)| is_shown(**field));
        let refusal = |(_, (_, why)): (&LaunchField, &(String, String))| {
            html! { <p class="refusal" role="alert" data-testid="refusal">{ why }</p> }
        };
        html! { <>{ for shown.map(refusal) }</> }
    }

    /// What the host code in the source sets, and a choice among its launches.
    fn host(self) -> Html {
        let sentence = self.session.host_sentence().map(|sentence| {
            let reason = |why: String| html! { <li>{ why }</li> };
            let reasons = self.session.host_reasons();
            let fold = (!reasons.is_empty()).then(|| {
                html! {
                    <details class="fold host-reasons" data-testid="host-reasons" ontoggle={Callback::from(show_fold)}>
                        <summary data-testid="host-reasons-fold">{ self.session.host_reasons_title() }</summary>
                        <ul>{ for reasons.into_iter().map(reason) }</ul>
                    </details>
                }
            });
            let origin = self.session.host_origin().map(|(text, line)| {
                let onclick = self.dispatch.reform(move |_| Event::Select(Target::Line(line)));
                html! { <button class="link host-origin" data-testid="host-origin" title="Show this line of the source" {onclick}>{ text }</button> }
            });
            html! {
                <>
                    { origin.unwrap_or_default() }
                    <p class="refusal dim" role="status" data-testid="host-note">{ sentence }</p>
                    { fold.unwrap_or_default() }
                </>
            }
        });
        let sentence: Html = sentence.unwrap_or_default();
        let launches = self.session.host_launches();
        let onchange = self.dispatch.reform(|event: yew::Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            Event::Form(FormChoice::HostLaunch(value.parse().unwrap_or(0)))
        });
        let is_none = !launches.iter().any(|(_, is_chosen)| *is_chosen);
        let menu = (!launches.is_empty()).then(|| {
            let option = |(idx, (name, selected)): (usize, (String, bool))| {
                html! { <option value={idx.to_string()} {selected}>{ name }</option> }
            };
            html! {
                <select class="field" data-testid="host-launch" aria-label="Launch of main()" {onchange}>
                    <option value="" selected={is_none} disabled={true}>{ "Launches of main()" }</option>
                    { for launches.into_iter().enumerate().map(option) }
                </select>
            }
        });
        let menu: Html = menu.unwrap_or_default();
        html! { <>{ menu }{ sentence }</> }
    }

    /// Notes on the GPU and on the launch.
    fn notes(self) -> Html {
        let problems = self.session.derived().problems.iter();
        let note = |problem: &workbench::app::Problem| {
            if problem.fatal {
                html! { <p class="refusal" role="alert" data-testid="refusal">{ &problem.message }</p> }
            } else {
                html! { <p class="refusal dim" role="status" data-testid="launch-note">{ &problem.message }</p> }
            }
        };
        html! { <>{ for problems.filter(|problem| problem.span.is_none()).map(note) }</> }
    }

    /// A toggle button: one of several choices, or a switch.
    fn chip(self, name: &'static str, id: &str, what: impl Into<AttrValue>, on: bool, event: Event) -> Html {
        let what = what.into();
        let onclick = self.dispatch.reform(move |_| event.clone());
        html! {
            <button class="chip" aria-pressed={on.to_string()} title={what} data-testid={id.to_owned()} {onclick}>{ name }</button>
        }
    }

    fn arguments(self) -> Html {
        let (rows, symbols) = (self.session.argument_rows(), self.session.symbol_rows());
        let all = || rows.iter().chain(&symbols);
        let names: Vec<&str> = all().map(|row| row.name.as_str()).collect();
        let names = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        let empty = self.session.derived().program().is_none().then(|| {
            html! { <p class="refusal dim">{ "The kernel's parameters appear here after it compiles." }</p> }
        });
        let empty: Html = empty.unwrap_or_default();
        let reset = self.dispatch.reform(|_| Event::Form(FormChoice::ResetArguments));
        let open = self.dispatch.reform(|_| Event::Panel(Panel::Outputs));
        html! {
            <div class="fold-row">
                <details class="fold" name="launch-fold" data-testid="arguments" ontoggle={Callback::from(show_fold)}>
                    <summary data-testid="arguments-fold"><span>{ "Arguments" }</span><span class="what mono">{ names }</span></summary>
                    { empty }
                    { for all().map(|row| self.row(row)) }
                    <button class="link" data-testid="reset-arguments" disabled={!self.session.has_own_arguments()}
                        onclick={reset}>{ "Reset arguments" }</button>
                </details>
                <button class="btn line outputs-open" data-testid="open-outputs" aria-haspopup="dialog"
                    title="Buffers after the run" onclick={open}>{ "Outputs" }</button>
            </div>
        }
    }

    fn row(self, row: &Row) -> Html {
        let fields = match &row.kind {
            RowKind::Value { field, text } => {
                let id = format!("arg-{}-value", row.name);
                self.input(&row.name, *field, text.clone(), "field value", &id)
            }
            RowKind::Buffer(buffer) => self.buffer(&row.name, buffer),
        };
        let below = match &row.kind {
            RowKind::Value { field, .. } => self.refusals(|other| other == *field),
            RowKind::Buffer(_) => Html::default(),
        };
        let (class, spoken) = match &row.kind {
            RowKind::Value { .. } => ("arg one", format!("{}, {}", row.name, row.c_type)),
            RowKind::Buffer(_) => ("arg", format!("{}, {}", row.name, row.c_type)),
        };
        let chosen = row.chosen.clone().map(|why| {
            html! { <span class="dim" data-testid="arg-chosen" title={why}>{ "chosen" }</span> }
        });
        let chosen = chosen.unwrap_or_default();
        html! {
            <div {class} role="group" aria-label={spoken}>
                <div class="arg-name mono"><b>{ &row.name }</b><span class="dim" title={row.c_type.clone()}>{ &row.c_type }</span>{ chosen }</div>
                { fields }
                { below }
            </div>
        }
    }

    fn buffer(self, name: &str, row: &BufferRow) -> Html {
        let place = row.place;
        let id = |part: &str| format!("arg-{name}-{part}");
        let number = row.number().map(|(field, text)| {
            let what = match field {
                LaunchField::Constant(_) => format!("Constant of {name}"),
                _ => format!("Seed of {name}"),
            };
            self.input(&what, field, text, "field seed", &id("number"))
        });
        let number: Html = number.unwrap_or_default();
        let length = row.fill.is_some().then(|| {
            let what = format!("Elements of {name}");
            self.input(
                &what,
                LaunchField::Length(place),
                thousands(u64::from(row.len)),
                "field count",
                &id("length"),
            )
        });
        let length: Html = length.unwrap_or_default();
        html! {
            <>
                <div class="arg-fields">{ length }{ self.pattern(name, row) }{ number }</div>
                { self.values(name, row) }
                { self.refusals(|field| field.is_of(place)) }
                { if row.fill.is_some() { self.more(name, row) } else { Html::default() } }
            </>
        }
    }

    fn pattern(self, name: &str, row: &BufferRow) -> Html {
        let place = row.place;
        let onchange = self.dispatch.reform(move |event: yew::Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            let kind = PatternKind::ALL.into_iter().find(|kind| kind.name() == value);
            Event::Form(FormChoice::Pattern(place, kind))
        });
        let now = row.word();
        let as_in_text =
            matches!(place, Place::Symbol(_)).then(|| option("", "from the source", row.fill.is_none()));
        let options = PatternKind::ALL.map(|kind| option(kind.name(), kind.name(), kind.name() == now));
        let addresses = PatternKind::Addresses.name();
        let other = (now == addresses).then(|| option(addresses, addresses, true));
        html! {
            <select class="field pattern" data-testid={format!("arg-{name}-pattern")}
                aria-label={format!("Contents of {name}")} {onchange}>{ as_in_text }{ other }{ for options }</select>
        }
    }

    /// The text area for the values of a buffer.
    fn values(self, name: &str, row: &BufferRow) -> Html {
        let Some((text, note)) = row.values() else {
            return Html::default();
        };
        let field = LaunchField::Values(row.place);
        let draft = self.session.side().drafts.get(&field);
        let onchange = self.dispatch.reform(move |event: yew::Event| {
            Event::Launch(
                field,
                event.target_unchecked_into::<HtmlTextAreaElement>().value(),
            )
        });
        let value = draft.map_or(text, |(text, _)| text.clone());
        let note = draft
            .is_none()
            .then(|| html! { <p class="refusal dim">{ note }</p> });
        let note: Html = note.unwrap_or_default();
        html! {
            <>
                <textarea class="field paste" rows="3" spellcheck="false" {value} data-testid={format!("arg-{name}-values")}
                    aria-label={format!("Values of {name}, separated by commas, spaces, or line breaks")}
                    aria-invalid={draft.is_some().to_string()} {onchange}/>
                { note }
            </>
        }
    }

    /// The details of a buffer that rarely change.
    fn more(self, name: &str, row: &BufferRow) -> Html {
        let place = row.place;
        let id = |part: &str| format!("arg-{name}-{part}");
        let fill = row.fill.clone();
        let text = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let modulo = fill.as_ref().and_then(|fill| fill.modulo);
        let modulo = modulo.map_or_else(String::new, |modulo| modulo.to_string());
        let (scale, offset) = fill.map_or((None, None), |fill| (fill.scale, fill.offset));
        let elsewhere = row.pointer.as_deref().filter(|target| *target != name);
        let words = [
            elsewhere.map(|target| format!("points to {target}")),
            (!modulo.is_empty()).then(|| format!("modulo {modulo}")),
            scale.map(|scale| format!("× {scale}")),
            offset.map(|offset| format!("+ {offset}")),
            row.role
                .filter(|role| *role == Role::Scratch)
                .map(|_| "scratch".to_owned()),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        html! {
            <details class="fold more">
                <summary data-testid={id("more")} aria-label={format!("More settings of {name}")}><span>{ "more" }</span><span class="what mono">{ words.join(", ") }</span></summary>
                <div class="arg-more">
                    { row.role.map(|role| self.role(name, place, role)).unwrap_or_default() }
                    { self.target(name, row).unwrap_or_default() }
                    { if row.any_elem { self.elem(name, place, row.elem) } else { Html::default() } }
                    { self.labelled("modulo", LaunchField::Modulo(place), modulo, "field", &id("modulo")) }
                    { self.labelled("times", LaunchField::Scale(place), text(scale), "field", &id("scale")) }
                    { self.labelled("plus", LaunchField::Offset(place), text(offset), "field", &id("offset")) }
                </div>
            </details>
        }
    }

    /// The field of where a pointer points.
    fn target(self, name: &str, row: &BufferRow) -> Option<Html> {
        let Place::Argument(idx) = row.place else {
            return None;
        };
        let text = row.pointer.clone()?;
        let id = format!("arg-{name}-target");
        Some(self.labelled("points to", LaunchField::Target(idx), text, "field", &id))
    }

    fn role(self, name: &str, place: Place, role: Role) -> Html {
        let Place::Argument(idx) = place else {
            return Html::default();
        };
        let onchange = self.dispatch.reform(move |event: yew::Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            let chosen = ROLES.iter().find(|(_, name)| *name == value);
            Event::Form(FormChoice::Role(
                idx,
                chosen.map_or(Role::InOut, |(role, _)| *role),
            ))
        });
        let options = ROLES.map(|(other, word)| option(word, word, other == role));
        html! {
            <label>{ "role" }<select class="field" data-testid={format!("arg-{name}-role")}
                aria-label={format!("Role of {name}")} {onchange}>{ for options }</select></label>
        }
    }

    fn elem(self, name: &str, place: Place, elem: ElemType) -> Html {
        let Place::Argument(idx) = place else {
            return Html::default();
        };
        let onchange = self.dispatch.reform(move |event: yew::Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            let chosen = TYPES.into_iter().find(|ty| type_name(*ty) == value);
            Event::Form(FormChoice::Elem(idx, chosen.unwrap_or(elem)))
        });
        let options = TYPES.map(|ty| option(type_name(ty), type_name(ty), ty == elem));
        html! {
            <label>{ "type" }<select class="field" data-testid={format!("arg-{name}-type")}
                aria-label={format!("Element type of {name}")} {onchange}>{ for options }</select></label>
        }
    }

    fn options(self) -> Html {
        let (compile, machine) = (&self.session.setup().compile, &self.session.setup().machine);
        let registers = compile
            .max_registers
            .map_or_else(String::new, |most| most.to_string());
        let cycles = thousands(machine.max_cycles);
        let blocks = machine
            .first_blocks
            .map_or_else(|| "all".to_owned(), |num| thousands(num.into()));
        let limits = [
            LaunchField::MaxRegisters,
            LaunchField::MaxCycles,
            LaunchField::FirstBlocks,
        ];
        html! {
            <details class="fold" name="launch-fold" data-part={part_name(SetUpPart::Options)} data-testid="options"
                ontoggle={Callback::from(show_fold)}>
                <summary data-testid="options-fold"><span>{ "Options" }</span><span class="what mono" data-testid="options-now">{ self.session.options_text() }</span></summary>
                <div class="chips" role="group" aria-label="Compiler">
                    { for RUN_OPTIONS.iter().filter(|option| option.is_of_compiler).map(|option| self.buttons(option)) }
                </div>
                <div class="option-lines">
                    { self.labelled("-maxrregcount", LaunchField::MaxRegisters, registers, "field", "option-registers") }
                    { self.labelled("cycle limit", LaunchField::MaxCycles, cycles, "field", "option-cycles") }
                    { self.labelled("blocks that run", LaunchField::FirstBlocks, blocks, "field", "option-blocks") }
                </div>
                { self.refusals(|field| limits.contains(&field)) }
                { self.group("Scheduler", html! { <span class="label">{ "Scheduler" }</span> }, &["policy", "adversarial"]) }
                { self.group("Caching of global loads", html! { <span class="label">{ "-dlcm" }</span> }, &["dlcm"]) }
                { self.bank_sizes() }
            </details>
        }
    }

    /// The buttons of an option, if it has an effect on the chip.
    fn buttons(self, option: &'static RunOption) -> Html {
        let (arch, options) = (self.session.setup().arch, self.session.setup().options());
        if !option.has_effect(arch) {
            return Html::default();
        }
        let button = |button: &'static Button| {
            let id = if option.buttons.len() > 1 {
                format!("option-{}-{}", option.flag, button.value)
            } else {
                format!("option-{}", option.flag)
            };
            let is_set = button.is_set(option, &options);
            self.chip(
                button.name,
                &id,
                (button.title)(arch),
                is_set,
                Event::Option(button.id(option)),
            )
        };
        html! { <>{ for option.buttons.iter().map(button) }</> }
    }

    /// A row with the buttons of options.
    fn group(self, name: &'static str, label: Html, keys: &[&str]) -> Html {
        let buttons = keys
            .iter()
            .filter_map(|key| RunOption::of_key(key))
            .map(|option| self.buttons(option));
        html! { <div class="chips" role="group" aria-label={name}>{ label }{ for buttons }</div> }
    }

    /// The bank width of shared memory, on architectures where the host can choose it.
    fn bank_sizes(self) -> Html {
        if !self.session.has_bank_choice() {
            return Html::default();
        }
        let sources = self.dispatch.reform(|_| Event::Panel(Panel::Sources));
        let label = html! {
            <button class="link label" title="All numbers of this architecture with their sources" data-testid="option-banks-source"
                onclick={sources}>{ "Shared memory banks" }</button>
        };
        self.group("Bank width of shared memory", label, &["banksize"])
    }
}

/// Scrolls an opened fold of the setup panel into view: all of it, or its start.
fn show_fold(event: yew::Event) {
    let fold: Element = event.target_unchecked_into();
    let setup = fold.closest(".setup").ok().flatten();
    if let Some(setup) = setup.filter(|_| fold.has_attribute("open")) {
        fold.scroll_into_view_with_bool(fold.client_height() > setup.client_height());
    }
}

fn option(value: &'static str, name: &'static str, selected: bool) -> Html {
    html! { <option {value} {selected}>{ name }</option> }
}

/// The ID of a part on the page.
pub(crate) const fn part_name(part: SetUpPart) -> &'static str {
    match part {
        SetUpPart::Architecture => "architecture",
        SetUpPart::Kernel => "kernel",
        SetUpPart::Launch => "launch",
        SetUpPart::Options => "options",
    }
}
