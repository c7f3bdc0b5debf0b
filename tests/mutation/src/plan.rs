//! All mutants of the chosen areas, and the sample that is tested.
use crate::constants::{self, Constant};
use crate::sites::{self, Site, Use};
use crate::source::File;
use std::collections::BTreeSet;

/// A mutant.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number in the build, from 1.
    pub id: u32,
    /// File, line, column and change.
    pub name: String,
    pub change: Change,
}

/// The change of a mutant, by indices into the lists of the plan.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Site { file: usize, site: usize, index: usize },
    Constant { constant: usize, index: usize },
}

/// A part of the source tree, and the number of mutants that are tested of it.
pub struct Area {
    /// The beginning of the paths of its files.
    pub prefix: String,
    pub count: usize,
}

pub struct Plan {
    pub files: Vec<File>,
    pub sites: Vec<Vec<Site>>,
    pub uses: Vec<Vec<Use>>,
    pub constants: Vec<Constant>,
    pub chosen: Vec<Mutant>,
}

impl Plan {
    /// Finds all mutants and chooses of each area. `only` names mutants to be tested in place of a
    /// sample. Returns also how many mutants each area has.
    pub fn new(files: Vec<File>, areas: &[Area], seed: u64, only: Option<&BTreeSet<String>>) -> (Plan, Vec<usize>) {
        let (sites, uses) = files.iter().map(sites::find).unzip();
        let constants = constants::find(&files);
        let mut plan = Plan { files, sites, uses, constants, chosen: vec![] };
        let mut random = Random(seed);
        let mut counts = vec![];
        for area in areas {
            let mut all = plan.all(&area.prefix);
            counts.push(all.len());
            match only {
                Some(names) => all.retain(|mutant| names.contains(&mutant.name)),
                None => random.choose(&mut all, area.count),
            }
            plan.chosen.extend(all);
        }
        for (id, mutant) in (1..).zip(&mut plan.chosen) {
            mutant.id = id;
        }
        (plan, counts)
    }

    /// All mutants of the files whose paths begin with `prefix`, in order.
    fn all(&self, prefix: &str) -> Vec<Mutant> {
        let mut all = vec![];
        let named = |file: usize, at: usize, what: &str, change: Change| {
            let file = &self.files[file];
            let (line, column) = file.position(at);
            Mutant { id: 0, name: format!("{}:{line}:{column}: {what}", file.path), change }
        };
        for (file, _) in self.files.iter().enumerate().filter(|(_, file)| file.path.starts_with(prefix)) {
            let mut found = vec![];
            for (site, Site { mutants, .. }) in self.sites[file].iter().enumerate() {
                for (index, (at, what, _)) in mutants.iter().enumerate() {
                    found.push((*at, named(file, *at, what, Change::Site { file, site, index })));
                }
            }
            for (constant, Constant { values, .. }) in self.constants.iter().enumerate().filter(|(_, c)| c.file == file) {
                for (index, (at, what, _)) in values.iter().enumerate() {
                    found.push((*at, named(file, *at, what, Change::Constant { constant, index })));
                }
            }
            found.sort_by_key(|(at, _)| *at);
            all.extend(found.into_iter().map(|(_, mutant)| mutant));
        }
        all
    }

    /// The constant that a name means in a file: the file's own, else the only one of this name.
    pub fn constant_of(&self, file: usize, name: &str) -> Option<usize> {
        let mut named = (0..self.constants.len()).filter(|&index| self.constants[index].name == name);
        if let Some(own) = named.clone().find(|&index| self.constants[index].file == file) {
            return Some(own);
        }
        named.next().filter(|_| named.next().is_none())
    }
}

/// Reproducible pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let v = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let v = (v ^ v >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        v ^ v >> 31
    }

    /// Keeps a random choice of `count` mutants, in order.
    fn choose(&mut self, all: &mut Vec<Mutant>, count: usize) {
        let mut order: Vec<usize> = (0..all.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
        let chosen: BTreeSet<usize> = order.into_iter().take(count).collect();
        let mut index = 0..;
        all.retain(|_| index.next().is_some_and(|index| chosen.contains(&index)));
    }
}
