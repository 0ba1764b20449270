#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![no_std]

/// The weights file of the network, for all variants and numbers of players.
pub static NETWORK: [u8; include_bytes!("../summer-pavilion.safetensors").len()] =
    *include_bytes!("../summer-pavilion.safetensors");

/// The weights file of the critic that goes with it, which corrects the game's own value.
pub static CRITIC: [u8; include_bytes!("../summer-pavilion-critic.safetensors").len()] =
    *include_bytes!("../summer-pavilion-critic.safetensors");
