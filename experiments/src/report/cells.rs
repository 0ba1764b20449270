//! Numbers and names as all tables show them. What does not exist is `-`.

use crate::stats::Estimate;

fn shown(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    value.map_or("-".to_owned(), show)
}

/// A number with one decimal.
pub fn number(value: Option<f64>) -> String {
    // What rounds to zero has no sign.
    shown(value, |value| Some(format!("{value:.1}")).filter(|it| it != "-0.0").unwrap_or("0.0".to_owned()))
}

/// A number without decimals.
pub(crate) fn whole(value: Option<f64>) -> String {
    shown(value, |value| format!("{}", value.round() as i64))
}

/// A share in percent.
pub fn percent(share: Option<f64>) -> String {
    shown(share, |share| format!("{:.1} %", 100.0 * share))
}

/// An estimate's value.
pub fn value(estimate: Option<Estimate>, show: fn(Option<f64>) -> String) -> String {
    show(estimate.map(|estimate| estimate.value))
}

/// An estimate's value and, where it has one, its interval: `61.3 % [56.6 %, 66.0 %]`.
pub(crate) fn with_interval(estimate: Option<Estimate>, show: fn(Option<f64>) -> String) -> String {
    let (value, interval) = (value(estimate, show), interval(estimate, show));
    if interval == "-" { value } else { format!("{value} {interval}") }
}

/// An estimate's interval.
pub fn interval(estimate: Option<Estimate>, show: fn(Option<f64>) -> String) -> String {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.map_or("-".to_owned(), |it| format!("[{}, {}]", show(Some(it.low)), show(Some(it.high))))
}

/// A text of at most so many letters. One that is too long begins with dots: what tells agents apart stands
/// at the end of their specs.
pub fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let end: String = text.chars().skip(length + 1 - most).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Interval;

    #[test]
    fn what_is_missing_is_a_dash_and_zero_has_no_sign() {
        assert_eq!([number(None), whole(None), percent(None)], ["-", "-", "-"]);
        assert_eq!([number(Some(-0.04)), number(Some(-0.06)), whole(Some(-0.4))], ["0.0", "-0.1", "0"]);
        let share = Estimate { value: 0.5, interval: Some(Interval { low: 0.25, high: 0.755 }) };
        assert_eq!(value(Some(share), percent), "50.0 %");
        assert_eq!(interval(Some(share), percent), "[25.0 %, 75.5 %]");
        assert_eq!(interval(Some(Estimate { interval: None, ..share }), percent), "-");
        assert_eq!(with_interval(Some(share), percent), "50.0 % [25.0 %, 75.5 %]");
        assert_eq!(with_interval(Some(Estimate { interval: None, ..share }), percent), "50.0 %");
        assert_eq!([value(None, number), interval(None, number)], ["-", "-"]);
    }
}
