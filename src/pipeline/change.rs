//! Parameters that were set while frames wait for their outputs.
use super::color_stage::ColorStage;
use super::filter_stage::FilterStage;
use super::scale_enhance::ScaleEnhance;
use super::settings::Settings;

/// Settings with other parameters, and the stages whose memory depends on them.
#[derive(Debug)]
pub(super) struct Change<S> {
    pub settings: Settings,
    pub scale_enhance: Option<ScaleEnhance<S>>,
    pub color: Option<ColorStage<S>>,
    pub filters: Option<FilterStage<S>>,
}
