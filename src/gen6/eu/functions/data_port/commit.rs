//! The response of writes.
use super::message_type::WRITE_COMMIT;
use crate::gen6::eu::data::message::{Message, Writeback};

/// The response of a write: nothing, or a commit.
pub(super) fn response(message: &Message) -> Vec<Writeback> {
    if message.descriptor.control() & WRITE_COMMIT != 0 { vec![Writeback::COMMIT] } else { vec![] }
}
