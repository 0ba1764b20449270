//! What a search does at chance nodes: [`ChanceTreatment`].

use crate::parameters::keyword_enum;

keyword_enum! {
    /// How the tree goes on at a chance node.
    ChanceTreatment {
        /// Behind a chance node are the outcomes that were drawn, a tree for each; with v visits up to ⌈√v⌉ different
        /// ones (progressive widening; Couëtoux et al. 2011), by the same random numbers at all chance nodes.
        Sample = "sample",
        /// The tree ends at a chance node: it is evaluated before anything is drawn.
        Afterstate = "afterstate",
    }
}
