//! Variables and constants at file scope.

use super::*;

/// Maximum size of a variable with an initializer, in bytes.
const MAX_IMAGE_BYTES: u64 = 1 << 24;

impl Checker {
    pub(super) fn file_declaration(&mut self, declaration: &Declaration) {
        if declaration.declarators.is_empty() {
            let _ = self.resolve(&declaration.ty, None);
            return;
        }
        // `struct P { … } a, b;` defines the struct once.
        for declarator in &declaration.declarators {
            let num_diagnostics = self.diagnostics.len();
            let result = self.file_variable(declaration, declarator);
            let is_texture = matches!(declarator.ty.base, ast::BaseType::Texture(_));
            if result.is_err() && declaration.specifiers.is_typedef && !is_texture {
                // Most likely a type of a host library.
                let deferred = self.diagnostics.split_off(num_diagnostics);
                self.defer(&declarator.name, deferred);
            }
        }
    }

    pub(in crate::check) fn file_variable(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
    ) -> Checks<()> {
        let specifiers = &declaration.specifiers;
        let name = &declarator.name;
        if let ast::BaseType::Texture(reference) = &declarator.ty.base {
            return self.texture_reference(reference, specifiers, declarator);
        }
        let of_device =
            specifiers.device || specifiers.constant || specifiers.shared.is_some() || specifiers.managed;
        if !of_device && !specifiers.is_typedef {
            return self.host_constant(declaration, declarator);
        }
        let auto_ty = match &declarator.init {
            Some(Initializer::Value(value)) if !matches!(value.kind, ast::ExprKind::List(_)) => {
                matches!(declarator.ty.base, ast::BaseType::Auto).then(|| self.value(value).map(|v| v.ty))
            }
            _ => None,
        };
        let auto_ty = auto_ty.transpose()?;
        let resolved = match self.resolve(&declarator.ty, auto_ty.as_ref()) {
            Ok(resolved) => resolved,
            Err(reported) => {
                self.declare(name, Symbol::Poison);
                return Err(reported);
            }
        };
        if specifiers.is_typedef {
            let symbol = Symbol::Type {
                reference: resolved.reference(),
                ty: resolved.ty,
                is_const: resolved.is_const,
            };
            self.declare(name, symbol);
            return Ok(());
        }
        self.global(specifiers, declarator, resolved, name.name.to_string())
            .map(|_| ())
    }

    /// Declares a texture reference: a pointer to elements of this type, which the launch binds.
    fn texture_reference(
        &mut self,
        reference: &ast::ReferenceType,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
    ) -> Checks<()> {
        let name = &declarator.name;
        let elem = self.resolve(&reference.elem, None).and_then(|resolved| {
            self.image_format(
                &resolved.ty,
                reference.reads_fractions,
                reference.is_surface,
                reference.elem.span,
            )?;
            Ok(resolved.ty)
        });
        let elem = match elem {
            Ok(elem) => elem,
            Err(reported) => {
                self.declare(name, Symbol::Poison);
                return Err(reported);
            }
        };
        let wrong = if specifiers.is_typedef {
            Some(
                "A typedef of a texture reference type is not supported; write the type where the texture is declared.",
            )
        } else if !declarator.ty.derived.is_empty() {
            Some("A texture reference cannot be an array or a pointer.")
        } else if declarator.init.is_some() {
            Some("A texture reference has no initializer; the launch binds it to memory.")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            self.declare(name, Symbol::Poison);
            return self.error(name.span, wrong);
        }
        let ty = crate::types::texture_of(elem);
        let id = GlobalId(self.globals.len() as u32);
        self.references.insert(
            id.0,
            ReferenceInfo {
                shape: reference.shape,
                reads_fractions: reference.reads_fractions,
                is_surface: reference.is_surface,
            },
        );
        self.globals.push(Global {
            name: name.name.to_string(),
            align: self.align_of(&ty),
            ty,
            space: GlobalSpace::Texture,
            image: Vec::new(),
            is_volatile: false,
            span: name.span,
        });
        self.declare(name, Symbol::Global { id, is_const: true });
        Ok(())
    }

    /// Declares a variable at file scope in the current scope.
    pub(in crate::check) fn global(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &Declarator,
        resolved: Resolved,
        full_name: String,
    ) -> Checks<GlobalId> {
        let name = &declarator.name;
        let mut ty = resolved.ty;
        let dynamic = specifiers.shared.is_some() && specifiers.is_extern;
        let space = match (specifiers.constant, specifiers.shared, dynamic) {
            (_, _, true) => GlobalSpace::DynamicShared,
            (_, Some(_), _) => GlobalSpace::Shared,
            (true, ..) => GlobalSpace::Constant,
            _ => GlobalSpace::Device,
        };
        let result = self.global_image(
            space,
            declarator,
            &mut ty,
            resolved.open_array && !dynamic,
            resolved.is_ref,
        );
        let (image, failed) = match result {
            Ok(image) => (image, false),
            Err(_) => (Vec::new(), true),
        };
        let mut align = self.align_of(&ty);
        if let Some(wanted) = &specifiers.align {
            align = align.max(self.alignment(wanted)?);
        }
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: full_name,
            ty,
            space,
            align,
            image,
            is_volatile: resolved.is_volatile,
            span: name.span,
        });
        let is_constant = space == GlobalSpace::Constant;
        if is_constant && !resolved.is_const {
            self.constant_memory.insert(id.0);
        }
        if failed {
            // Uses of the variable do not compile either.
            self.declare(name, Symbol::Poison);
            return Err(Reported);
        }
        let is_const = resolved.is_const || is_constant;
        let global = &self.globals[id.0 as usize];
        if resolved.is_const && !is_constant && global.ty.is_integer() && !global.image.is_empty() {
            // A constant expression (C++17, "Constant expressions").
            self.const_arrays.insert(id.0);
        }
        self.declare(name, Symbol::Global { id, is_const });
        Ok(id)
    }

    fn global_image(
        &mut self,
        space: GlobalSpace,
        declarator: &Declarator,
        ty: &mut Type,
        open: bool,
        is_ref: bool,
    ) -> Checks<Vec<u8>> {
        let span = declarator.name.span;
        if *ty == Type::Void || is_ref {
            return self.error(span, "A variable in device memory cannot be void or a reference.");
        }
        let shared = matches!(space, GlobalSpace::Shared | GlobalSpace::DynamicShared);
        let init = match &declarator.init {
            None if open => return self.error(span, "This array needs a size."),
            None => return Ok(Vec::new()),
            Some(_) if shared => return self.shared_init(span),
            Some(Initializer::Value(value)) => self.variable_init(ty, open, value)?,
            Some(Initializer::Constructor(args)) => {
                let ty = ty.clone();
                Init::Value(self.constructed(&ty, args, span)?)
            }
        };
        if self.size_of(ty) > MAX_IMAGE_BYTES {
            return self.error(span, "A variable with an initializer can take at most 16 MB.");
        }
        self.image(&init, ty, span)
    }

    pub(in crate::check) fn shared_init<T>(&mut self, span: Span) -> Checks<T> {
        self.error(
            span,
            "An initializer is not allowed for a `__shared__` variable; let one thread store the value, then call \
             `__syncthreads()`.",
        )
    }

    /// A host constant, which kernels can use if its value is a constant expression. Other host variables only shadow
    /// the name.
    fn host_constant(&mut self, declaration: &Declaration, declarator: &Declarator) -> Checks<()> {
        let name = &declarator.name;
        let num_diagnostics = self.diagnostics.len();
        let known = self.try_constant(declaration, declarator);
        if known.is_err() {
            if declaration.specifiers.is_constexpr {
                self.declare(name, Symbol::Poison);
                return Err(Reported);
            }
            // Host code has no restrictions.
            self.diagnostics.truncate(num_diagnostics);
            self.declare(name, Symbol::Host(name.span));
        }
        Ok(())
    }

    fn try_constant(&mut self, declaration: &Declaration, declarator: &Declarator) -> Checks<()> {
        let name = &declarator.name;
        let Some(value) = declarator.single_value() else {
            return Err(Reported);
        };
        let auto_ty = if matches!(declarator.ty.base, ast::BaseType::Auto) {
            Some(self.value(value)?.ty)
        } else {
            None
        };
        let resolved = self.resolve(&declarator.ty, auto_ty.as_ref())?;
        if !resolved.is_const || resolved.is_ref {
            return Err(Reported);
        }
        self.constant_variable(declaration, declarator, resolved, name.name.to_string())
    }

    /// Declares a constant: a scalar as its value, an array or struct in constant memory.
    pub(in crate::check) fn constant_variable(
        &mut self,
        declaration: &Declaration,
        declarator: &Declarator,
        resolved: Resolved,
        full_name: String,
    ) -> Checks<()> {
        let name = &declarator.name;
        let Some(value) = declarator.single_value() else {
            return Err(Reported);
        };
        if is_arithmetic(resolved.ty.representation()) || self.is_function_pointer(&resolved.ty) {
            let value = self.initial_value(value, &resolved.ty, "in the initializer of this constant")?;
            return match self.evaluate(&value) {
                Some(known) => {
                    self.declare(name, Symbol::Constant(known, resolved.ty));
                    Ok(())
                }
                None => self.error(
                    value.span,
                    format!(
                        "The initializer of `{}` must be a constant expression.",
                        name.name
                    ),
                ),
            };
        }
        if matches!(resolved.ty, Type::Pointer(_)) {
            return Err(Reported);
        }
        let specifiers = ast::Specifiers {
            constant: true,
            align: declaration.specifiers.align.clone(),
            ..Default::default()
        };
        let id = self.global(&specifiers, declarator, resolved, full_name)?;
        self.const_arrays.insert(id.0);
        Ok(())
    }
}
