//! The command-line program.

/// The system allocator with an allocation counter for `warpscope bench --allocations`.
#[cfg(not(target_arch = "wasm32"))]
mod counting {
    #![expect(
        unsafe_code,
        reason = "GlobalAlloc is an unsafe trait; every call is forwarded to the system allocator"
    )]

    use std::alloc::{GlobalAlloc, Layout, System};
    use std::sync::atomic::Ordering;

    use cli::bench::ALLOCATIONS;

    struct Counting;

    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
            unsafe { System.alloc(layout) }
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
            unsafe { System.alloc_zeroed(layout) }
        }

        unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
            unsafe { System.realloc(old, layout, size) }
        }

        unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
            unsafe { System.dealloc(old, layout) };
        }
    }

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    cli::main()
}

/// The browser build has no command line.
#[cfg(target_arch = "wasm32")]
fn main() {}
