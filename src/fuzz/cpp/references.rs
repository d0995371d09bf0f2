//! Generates functions that take and return references, and classes with reference members.

use super::{Kind, Maker, Piece};

impl Maker {
    /// Adds a function or a class with references, and statements that use it.
    pub(super) fn references(&mut self) {
        let name = self.fresh("ref");
        match self.random.below(7) {
            0 => self.exchange(&name),
            1 => self.maximum_reference(&name),
            2 => self.reference_overloads(&name),
            3 => self.reference_member(&name),
            4 => self.pointer_parameters(&name),
            5 => self.condition_with_effect(&name),
            _ => self.row_references(),
        }
    }

    /// Adds a template that exchanges two values.
    fn exchange(&mut self, name: &str) {
        let rest = match self.random.below(3) {
            0 => "{ T c = a; a = b; b = c; }",
            1 => "{ const T c(b); b = a; a = c; }",
            _ => "{ auto c = static_cast<T &&>(a); a = static_cast<T &&>(b); b = c; }",
        };
        self.add(Piece::leaf(format!(
            "template <typename T> __device__ void {name}(T &a, T &b) {rest}"
        )));
        self.action(format!("{name}($I, $I);"), 3);
        self.action(format!("{name}($U, $U);"), 3);
        for class in 0..self.scope.classes.len() {
            self.scope.classes[class]
                .changes
                .push(format!("{{ auto other = $o; {name}($o, other); $o = other; }}"));
        }
    }

    /// Adds a template that returns a reference to the larger value.
    fn maximum_reference(&mut self, name: &str) {
        self.add(Piece::leaf(format!(
            "template <typename T> __device__ T &{name}(T &a, T &b) {{ return a < b ? b : a; }}"
        )));
        self.action(format!("{name}($I, $I) = $i;"), 2);
        self.action(format!("{name}($U, $U) += $u;"), 2);
        self.action(
            format!("auto &&most = {name}($U, $U); most ^= 9u;").replace("auto", "{ auto") + " }",
            2,
        );
        self.action(format!("++{name}<unsigned>($U, $U);"), 2);
    }

    /// Adds overloads for references to variables and to constants.
    fn reference_overloads(&mut self, name: &str) {
        // The value category selects the overload.
        self.add(Piece::leaf(format!(
            "__device__ int {name}(int &v) {{ v /= 2; return 1; }}"
        )));
        self.add(Piece::leaf(format!(
            "__device__ int {name}(const int &v) {{ return v / 2 + 20; }}"
        )));
        self.action(format!("$U += {name}($I);"), 2);
        self.action(format!("$I = {name}((int)$i);"), 2);
        self.action(format!("{{ const int fixed = $i; $U ^= {name}(fixed); }}"), 2);
        self.form(format!("{name}(int($i))"), Kind::Tame, 2);
        self.form(format!("{name}($i + 0)"), Kind::Tame, 2);
    }

    /// Adds a class that changes the referenced object.
    fn reference_member(&mut self, name: &str) {
        let member = self.pick(&["unsigned &r;", "unsigned *r;"]);
        let (init, use_) = if member.contains('&') {
            ("r(x)", "r")
        } else {
            ("r(&x)", "*r")
        };
        self.add(Piece::block(
            format!("struct {name} {{"),
            vec![
                Piece::leaf(member),
                Piece::leaf("int count;"),
                Piece::leaf(format!("__device__ {name}(unsigned &x) : {init}, count(0) {{}}")),
                Piece::leaf(format!(
                    "__device__ {name} &add(unsigned v) {{ {use_} += v; ++count; return *this; }}"
                )),
                Piece::leaf(format!("__device__ unsigned &get() const {{ return {use_}; }}")),
            ],
            "};",
        ));
        self.action(
            format!("{{ {name} holder($U); holder.add($u).add(3u); $I = holder.count; }}"),
            5,
        );
        self.action(format!("{{ {name} holder{{$U}}; holder.get() *= 7u; {name} copy = holder; copy.add($u); $U ^= copy.count; }}"), 6);
        self.action(format!("{name}($U).add($u);"), 3);
        self.action(format!("$I = {name}($U).add($u).add($u).count;"), 4);
    }

    /// Adds a function that changes an array and a variable.
    fn pointer_parameters(&mut self, name: &str) {
        let (body, cost) = self.body(
            &[
                ("p[0]", Kind::Tame, true),
                ("p[1]", Kind::Tame, true),
                ("q", Kind::Unsigned, true),
            ],
            None,
            3,
        );
        self.add(Piece::block(
            format!("__device__ void {name}(int *p, unsigned &q) {{"),
            body,
            "}",
        ));
        self.action(
            format!("{{ int two[2] = {{$i, $i}}; {name}(two, $U); $I = two[0]; }}"),
            cost + 2,
        );
        self.action(
            format!(
                "{{ int three[3] = {{$i, $i, $c}}; int *from = three; {name}(from + 1, $U); $I = three[1]; }}"
            ),
            cost + 3,
        );
    }

    /// Adds a condition that changes its argument.
    fn condition_with_effect(&mut self, name: &str) {
        let (body, cost) = self.body(&[("v", Kind::Unsigned, true)], Some(Kind::Bool), 1);
        self.add(Piece::block(
            format!("__device__ bool {name}(unsigned &v) {{"),
            body,
            "}",
        ));
        self.action(format!("if ({name}($U) && {name}($U)) $U += 1u;"), cost * 2 + 1);
        self.action(format!("if ($b || {name}($U)) $I = $i;"), cost + 1);
        self.action(format!("$I = {name}($U) ? $i : $c;"), cost + 1);
        self.action(
            format!("for (int turn = 0; turn < 3 && {name}($U); turn++) $U ^= $u;"),
            cost * 3 + 3,
        );
        self.action(
            format!("{{ bool first = {name}($U), second = !{name}($U); $I = first + second * 2; }}"),
            cost * 2 + 3,
        );
        self.action(format!("$U = ({name}($U), $u);"), cost + 1);
    }

    /// Adds references to a row of a local table and to its elements.
    fn row_references(&mut self) {
        self.action(
            "{ unsigned grid[2][3] = {{$u, $u}, {1u, $u, 3u}}; unsigned (&row)[3] = grid[$k & 1]; row[$k % 3] += $u; for (auto &r : {0}) {} $U ^= grid[1][0] + grid[0][$d % 3]; }"
                .replace(" for (auto &r : {0}) {}", ""),
            5,
        );
        self.action("{ unsigned row[3] = {$u, 2u, $u}; unsigned *at = row, *end = row + 3; while (at != end) $U += *at++; }", 8);
        self.action("{ int row[4] = {$i, $i, 5}; int &last = row[$k]; last = $i; const int *at = &row[3]; $I = *at + at[-1] % 3; $I %= 99; }", 5);
    }
}
