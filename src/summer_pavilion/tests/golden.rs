//! Golden playthroughs: whole games as text, so that any change of the rules or of the notation shows.

use crate::summer_pavilion::SummerPavilion;
use crate::testing;

#[test]
fn playthroughs_stay_as_they_are() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../testdata");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, text) in testing::playthroughs::<SummerPavilion>() {
            insta::assert_snapshot!(name, text);
        }
    });
}
