//! Levels: the instruction sets with kernels, and detection of those that the processor has.
use std::fmt;
use std::str::FromStr;

/// Instruction sets with kernels, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// The plain form of the specification, one sample at a time.
    Scalar,
    /// 128-bit vectors on any processor (crate `wide`).
    Portable,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of x86-64: AVX-512 F, BW, VL and VNNI.
    Avx512,
}

impl SimdLevel {
    /// All levels, weakest first.
    pub const ALL: [SimdLevel; 4] = [SimdLevel::Scalar, SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];

    /// The name of the level in the environment variable `DNDI_LEVEL`.
    pub fn name(self) -> &'static str {
        match self {
            SimdLevel::Scalar => "scalar",
            SimdLevel::Portable => "portable",
            SimdLevel::Avx2 => "avx2",
            SimdLevel::Avx512 => "avx512",
        }
    }

    /// Whether the processor has the instruction set.
    #[cfg(target_arch = "x86_64")]
    pub fn is_supported(self) -> bool {
        let avx2 = || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
        match self {
            SimdLevel::Scalar | SimdLevel::Portable => true,
            SimdLevel::Avx2 => avx2(),
            SimdLevel::Avx512 => {
                let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
                avx2() && wide && is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512vnni")
            }
        }
    }

    /// Whether the processor has the instruction set.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_supported(self) -> bool {
        self <= SimdLevel::Portable
    }

    /// This level.
    ///
    /// # Errors
    /// The processor lacks the level.
    pub(crate) fn supported(self) -> Result<SimdLevel, SimdLevelError> {
        if self.is_supported() { Ok(self) } else { Err(SimdLevelError { name: self.name().to_owned(), exists: true }) }
    }

    /// The level that the environment variable `DNDI_LEVEL` names, or the strongest level of the
    /// processor if the variable is not set.
    ///
    /// # Errors
    /// The variable names no level, or one that the processor lacks.
    pub fn from_env() -> Result<SimdLevel, SimdLevelError> {
        match std::env::var_os("DNDI_LEVEL") {
            Some(name) => name.to_string_lossy().parse(),
            None => Ok(SimdLevel::ALL.into_iter().rfind(|level| level.is_supported()).unwrap_or(SimdLevel::Scalar)),
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `scalar`, `portable`, `avx2` or `avx512`; case does not matter. A level that the processor lacks
/// is an error.
impl FromStr for SimdLevel {
    type Err = SimdLevelError;

    fn from_str(name: &str) -> Result<SimdLevel, SimdLevelError> {
        let found = SimdLevel::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| SimdLevelError { name: name.to_owned(), exists: false })?.supported()
    }
}

/// Error: the requested level does not exist, or the processor lacks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimdLevelError {
    name: String,
    exists: bool,
}

impl fmt::Display for SimdLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = if self.exists { "not supported by this processor" } else { "no such level" };
        write!(f, "level '{}': {why}; this processor has", self.name)?;
        let supported = SimdLevel::ALL.into_iter().filter(|level| level.is_supported());
        supported.enumerate().try_for_each(|(i, level)| write!(f, "{} {level}", if i == 0 { "" } else { "," }))
    }
}

impl std::error::Error for SimdLevelError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_their_levels() {
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            assert_eq!(level.name().to_uppercase().parse(), Ok(level));
            assert_eq!(level.to_string().parse(), Ok(level));
        }
    }

    #[test]
    fn an_unknown_level_lists_the_known() {
        let message = "mmx".parse::<SimdLevel>().unwrap_err().to_string();
        assert!(message.starts_with("level 'mmx': no such level; this processor has scalar, portable"), "{message}");
    }
}
