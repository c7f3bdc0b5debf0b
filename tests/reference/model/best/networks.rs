//! §15.11: the networks.

use super::spatial;
use crate::model::Network;

pub struct Networks {
    pub spatial: Network,
    pub luma: Network,
    pub chroma: Network,
}

impl Networks {
    pub fn new() -> Networks {
        Networks {
            spatial: spatial::network(),
            luma: Network::parse(include_str!("../../../../src/deinterlace/networks/best_luma.txt")),
            chroma: Network::parse(include_str!("../../../../src/deinterlace/networks/best_chroma.txt")),
        }
    }
}
