//! The last state that a shared function decoded.

/// A state and the DWords that it was decoded from, so that the next message with the same DWords
/// need not decode them again.
#[derive(Debug)]
pub(super) struct Decoded<K, T>(Option<(K, T)>);

impl<K, T> Default for Decoded<K, T> {
    fn default() -> Decoded<K, T> {
        Decoded(None)
    }
}

impl<K: PartialEq, T> Decoded<K, T> {
    /// The state of the DWords `key`, which `decode` decodes unless they are the last ones.
    pub fn get<E>(&mut self, key: K, decode: impl FnOnce(&K) -> Result<T, E>) -> Result<&mut T, E> {
        let value = match self.0.take() {
            Some((known, value)) if known == key => value,
            _ => decode(&key)?,
        };
        Ok(&mut self.0.insert((key, value)).1)
    }
}
