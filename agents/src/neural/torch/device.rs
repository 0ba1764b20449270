//! Where LibTorch computes.

use std::error::Error;
use std::sync::Once;

use tch::Device;

/// The processor.
///
/// LibTorch starts no threads of its own: those of its pool wait by spinning, which takes time from those that play games.
/// Each of these works out its batches itself.
pub(in crate::neural) fn processor() -> Device {
    static ONE_THREAD: Once = Once::new();
    ONE_THREAD.call_once(|| tch::set_num_threads(1));
    Device::Cpu
}

/// The first CUDA device.
///
/// # Errors
/// Why there is none.
pub(in crate::neural) fn cuda() -> Result<Device, String> {
    processor();
    load_cuda()?;
    match tch::Cuda::is_available() {
        true => Ok(Device::Cuda(0)),
        false => Err("LibTorch finds no CUDA device".to_owned()),
    }
}

/// Loads the CUDA part of LibTorch for good. It announces itself to the rest, which asks for it the first time that CUDA is
/// needed. Linkers would leave it out, since no symbol of it is named.
#[allow(unsafe_code)]
fn load_cuda() -> Result<(), String> {
    // SAFETY: the initializers are those of the LibTorch that is linked, which loads this library in the same way where it
    // is linked whole; it is never unloaded.
    let library = unsafe { libloading::Library::new("libtorch_cuda.so") };
    library.map(std::mem::forget).map_err(|error| {
        let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        format!("{cause}; set LIBTORCH to the folder of a LibTorch with CUDA and build again")
    })
}
