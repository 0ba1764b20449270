//! Where a batch writes what it is asked for: rows of numbers, one a game.

/// Rows of numbers, all of one width, one after the other.
pub(crate) struct Rows<'a, T> {
    values: &'a mut [T],
    width: usize,
}

impl<'a, T: Copy> Rows<'a, T> {
    /// The rows in an array, whose length is a multiple of the width.
    pub(crate) fn new(values: &'a mut [T], width: usize) -> Self {
        Rows { values, width }
    }

    fn split_at(self, rows: usize) -> (Self, Self) {
        let Rows { values, width } = self;
        let (first, rest) = values.split_at_mut(rows * width);
        (Rows { values: first, width }, Rows { values: rest, width })
    }

    fn row(&mut self, row: usize) -> &mut [T] {
        &mut self.values[row * self.width..][..self.width]
    }

    /// Writes numbers into a row, one after the other from its beginning.
    pub(crate) fn write(&mut self, row: usize, numbers: impl IntoIterator<Item = T>) {
        self.row(row).iter_mut().zip(numbers).for_each(|(value, number)| *value = number);
    }
}

impl Rows<'_, u8> {
    /// Writes 1 at these places of a row and 0 at all others.
    fn mark(&mut self, row: usize, places: impl Iterator<Item = usize>) {
        let row = self.row(row);
        row.fill(0);
        places.for_each(|place| row[place] = 1);
    }
}

/// Declares [`Outputs`], so that all of them are split alike.
macro_rules! outputs {
    ($($(#[$about:meta])+ $field:ident: $number:ty,)+) => {
        /// What a batch writes, as far as it is asked for: one row a game in each.
        #[derive(Default)]
        pub(crate) struct Outputs<'a> {
            $($(#[$about])+ pub $field: Option<Rows<'a, $number>>,)+
        }

        impl Outputs<'_> {
            /// The first rows of all, and the others.
            pub(crate) fn split_at(self, rows: usize) -> (Self, Self) {
                let (mut first, mut rest) = (Outputs::default(), Outputs::default());
                $((first.$field, rest.$field) = self.$field.map(|all| all.split_at(rows)).unzip();)+
                (first, rest)
            }

            /// Whether nothing is asked for.
            pub(crate) fn is_empty(&self) -> bool {
                $(self.$field.is_none())&&+
            }
        }
    };
}

outputs! {
    /// Observations as 0 and 1.
    observations: u8,
    /// The active entries of observations.
    active: i32,
    /// How many there are.
    active_counts: i32,
    /// Legal actions as 0 and 1.
    masks: u8,
    /// The numbers of the legal actions.
    legal: i32,
    /// How many there are.
    legal_counts: i32,
    /// The rewards of all seats.
    rewards: f32,
    /// The points of all seats.
    scores: i32,
    /// Whose turn it is.
    turns: i8,
    /// Whether a game has ended: 0 not, 1 by the rules, 2 as it was too long.
    ends: u8,
}

impl Outputs<'_> {
    /// Whether the observation is asked for.
    pub(crate) fn needs_active(&self) -> bool {
        self.observations.is_some() || self.active.is_some() || self.active_counts.is_some()
    }

    /// Writes the observation of one game, by its active entries.
    pub(crate) fn write_active(&mut self, row: usize, active: &[u16]) {
        if let Some(observations) = &mut self.observations {
            observations.mark(row, active.iter().map(|&number| number.into()));
        }
        if let Some(rows) = &mut self.active {
            rows.write(row, active.iter().map(|&number| number.into()));
        }
        if let Some(counts) = &mut self.active_counts {
            counts.write(row, [active.len() as i32]);
        }
    }

    /// Whether the legal actions are asked for.
    pub(crate) fn needs_legal(&self) -> bool {
        self.masks.is_some() || self.legal.is_some() || self.legal_counts.is_some()
    }

    /// Writes the legal actions of one game.
    pub(crate) fn write_legal(&mut self, row: usize, numbers: impl ExactSizeIterator<Item = usize> + Clone) {
        if let Some(masks) = &mut self.masks {
            masks.mark(row, numbers.clone());
        }
        if let Some(rows) = &mut self.legal {
            rows.write(row, numbers.clone().map(|number| number as i32));
        }
        if let Some(counts) = &mut self.legal_counts {
            counts.write(row, [numbers.len() as i32]);
        }
    }
}
