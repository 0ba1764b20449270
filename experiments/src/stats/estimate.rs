//! Estimates with their intervals.

use super::interval::{Interval, widening};

/// An estimated number and how far it is known. Where there is nothing to estimate from there is no estimate:
/// fields hold an `Option<Estimate>`, which files have as three flat keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its interval, of 95 % unless the field says otherwise; `None` where too little is known of how results
    /// vary.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// An estimate with its interval, which is widened to the estimate: shares count no imaginary blocks, and
    /// so one of 0 or 1 lies outside of what is resampled.
    pub fn widened(value: f64, interval: Option<Interval>) -> Self {
        let widen =
            |Interval { low, high }: Interval| Interval { low: low.min(value), high: high.max(value) };
        Estimate { value, interval: interval.map(widen) }
    }

    /// The estimate of a number if there is one, with its interval if results vary.
    pub fn where_it_varies(value: Option<f64>, interval: Option<Interval>, varies: bool) -> Option<Self> {
        value.map(|value| Estimate::widened(value, interval.filter(|_| varies)))
    }

    /// The low end of the interval.
    pub fn low(self) -> Option<f64> {
        self.interval.map(|interval| interval.low)
    }

    /// The high end of the interval.
    pub fn high(self) -> Option<f64> {
        self.interval.map(|interval| interval.high)
    }

    /// Half the width of the interval.
    pub fn half_width(self) -> Option<f64> {
        self.interval.map(|interval| (interval.high - interval.low) / 2.0)
    }

    /// Whether it is another number than 0 beyond doubt, where that is asked of so many estimates: if all were of 0, any of them
    /// would count as another number with a chance of at most 5 %.
    pub fn differs_among(self, comparisons: usize) -> bool {
        let reach = |end: f64| self.value + widening(comparisons) * (end - self.value);
        self.interval.is_some_and(|it| reach(it.low) > 0.0 || reach(it.high) < 0.0)
    }

    /// The estimate in another unit, of which `factor`, a positive number, make one of this unit.
    pub fn scaled(self, factor: f64) -> Self {
        let scale = |Interval { low, high }: Interval| Interval { low: factor * low, high: factor * high };
        Estimate { value: factor * self.value, interval: self.interval.map(scale) }
    }
}

/// Defines a module that writes an estimate, or none, as three keys and reads them back, for
/// `#[serde(with = "…")]`; with `flatten` the keys stand among those of the struct that the estimate is in.
/// What does not exist is `null`.
macro_rules! estimate_keys {
    ($visibility:vis $name:ident: $value:literal, $low:literal, $high:literal) => {
        $visibility mod $name {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            use $crate::stats::{Estimate, Interval};

            #[derive(Serialize, Deserialize)]
            struct Keys {
                #[serde(rename = $value)]
                value: Option<f64>,
                #[serde(rename = $low)]
                low: Option<f64>,
                #[serde(rename = $high)]
                high: Option<f64>,
            }

            pub fn serialize<T, S>(estimate: &T, serializer: S) -> Result<S::Ok, S::Error>
            where
                T: Copy + Into<Option<Estimate>>,
                S: Serializer,
            {
                let estimate: Option<Estimate> = (*estimate).into();
                let interval = estimate.and_then(|estimate| estimate.interval);
                let keys = Keys {
                    value: estimate.map(|estimate| estimate.value),
                    low: interval.map(|interval| interval.low),
                    high: interval.map(|interval| interval.high),
                };
                keys.serialize(serializer)
            }

            #[allow(dead_code, reason = "some estimates are only written")]
            pub fn deserialize<'de, D>(deserializer: D) -> Result<Option<Estimate>, D::Error>
            where
                D: Deserializer<'de>,
            {
                let Keys { value, low, high } = Keys::deserialize(deserializer)?;
                let interval = low.zip(high).map(|(low, high)| Interval { low, high });
                Ok(value.map(|value| Estimate { value, interval }))
            }
        }
    };
}

pub(crate) use estimate_keys;

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    fn around(value: f64, half: f64) -> Estimate {
        Estimate { value, interval: Some(Interval { low: value - half, high: value + half }) }
    }

    #[test]
    fn intervals_are_widened_to_what_they_are_of() {
        let interval = Interval { low: 0.9, high: 0.99 };
        let found = Estimate::widened(1.0, Some(interval));
        assert_eq!((found.low(), found.high()), (Some(0.9), Some(1.0)));
        assert_eq!(Estimate::widened(0.95, Some(interval)).interval, Some(interval));
        assert_eq!(Estimate::widened(1.0, None).interval, None);
    }

    #[test]
    fn of_many_estimates_one_differs_only_where_it_is_surer() {
        for (value, comparisons, differs) in
            [(2.0, 1, true), (2.0, 20, false), (-3.2, 20, true), (0.9, 1, false)]
        {
            assert_eq!(around(value, 1.959_964).differs_among(comparisons), differs, "{value}");
        }
        assert!(!Estimate { value: 5.0, interval: None }.differs_among(1), "too little is known");
    }

    #[test]
    fn units_scale_value_and_interval() {
        assert_eq!(around(0.5, 0.25).scaled(100.0), around(50.0, 25.0));
    }

    estimate_keys!(share: "share", "share_low", "share_high");
    estimate_keys!(lead: "lead", "low", "high");

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Seat {
        seat: usize,
        #[serde(flatten, with = "share")]
        share: Option<Estimate>,
        games: u64,
        #[serde(with = "lead")]
        lead: Option<Estimate>,
    }

    #[test]
    fn keys_are_flat_and_what_is_missing_is_null() {
        let seat = Seat { seat: 1, share: Some(around(0.5, 0.25)), games: 7, lead: None };
        let text = r#"{"seat":1,"share":0.5,"share_low":0.25,"share_high":0.75,"games":7,"lead":{"lead":null,"low":null,"high":null}}"#;
        assert_eq!(serde_json::to_string(&seat).unwrap(), text);
        assert_eq!(serde_json::from_str::<Seat>(text).unwrap(), seat);
        // Files of before may lack keys.
        let old: Seat =
            serde_json::from_str(r#"{"seat":1,"share":1,"games":7,"lead":{"lead":-2.5}}"#).unwrap();
        assert_eq!(old.share, Some(Estimate { value: 1.0, interval: None }));
        assert_eq!(old.lead, Some(Estimate { value: -2.5, interval: None }));
    }
}
