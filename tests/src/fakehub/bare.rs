//! Real bare repositories: trees, merges, comparisons and patches come from git, never from the fake.
//!
//! What is asked of full SHAs never changes, so it is asked once in a process.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex};

use ontology::Timestamp;

/// A bare repository.
#[derive(Debug, Clone)]
pub struct Bare {
    folder: PathBuf,
    /// Whether refs are written to the folder. A world that nobody fetches from keeps them in memory alone.
    writes_refs: bool,
}

/// A commit, as git prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitCommit {
    /// The SHA.
    pub sha: String,
    /// The tree.
    pub tree: String,
    /// The parents.
    pub parents: Vec<String>,
    /// Name, address, time.
    pub author: [String; 3],
    /// Name, address, time.
    pub committer: [String; 3],
    /// The message.
    pub message: String,
}

/// A changed file, as git prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitFile {
    /// The path, after a rename the new one.
    pub path: String,
    /// The path before a rename.
    pub previous: Option<String>,
    /// `A`, `M`, `D`, `R` or `T`.
    pub change: char,
    /// The blob.
    pub blob: String,
    /// Lines added and removed.
    pub lines: (u64, u64),
}

type Asked = Mutex<HashMap<String, Arc<(i32, Vec<u8>)>>>;

impl Bare {
    /// A new repository in `folder`.
    ///
    /// # Panics
    /// When git does not make it.
    #[must_use]
    pub fn make(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("make a folder");
        let bare = Self { folder: folder.to_owned(), writes_refs: true };
        bare.run(&["init", "--quiet", "--bare", "--initial-branch=main", "--template=", "."], b"");
        bare
    }

    /// The same objects for another world, whose refs stay in memory.
    #[must_use]
    pub fn shared(&self) -> Self {
        Self { folder: self.folder.clone(), writes_refs: false }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut git = Command::new("git");
        git.current_dir(&self.folder)
            .args(arguments)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        git
    }

    fn output(&self, mut git: Command, input: &[u8]) -> (i32, Vec<u8>) {
        let mut child = git.spawn().expect("git runs");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_vec();
        // Fed from a thread: git may print before it has read all.
        let feed = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let done = child.wait_with_output().expect("git ends");
        feed.join().expect("feeding does not panic");
        let code = done.status.code().unwrap_or(-1);
        assert!(
            code == 0 || code == 1,
            "git in {} failed with {code}: {}",
            self.folder.display(),
            String::from_utf8_lossy(&done.stderr)
        );
        (code, done.stdout)
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let (code, out) = self.output(self.command(arguments), input);
        assert_eq!(code, 0, "git {arguments:?}");
        out
    }

    /// What a command over full SHAs prints: asked once.
    fn ask(&self, arguments: &[&str]) -> Arc<(i32, Vec<u8>)> {
        static ASKED: LazyLock<Asked> = LazyLock::new(Mutex::default);
        let key = format!("{}\0{}", self.folder.display(), arguments.join(" "));
        if let Some(known) = ASKED.lock().expect("nobody panics while it is held").get(&key) {
            return Arc::clone(known);
        }
        let answer = Arc::new(self.output(self.command(arguments), b""));
        // What is not there may come.
        if answer.0 == 0 || arguments.first() == Some(&"merge-tree") {
            ASKED.lock().expect("nobody panics while it is held").insert(key, Arc::clone(&answer));
        }
        answer
    }

    fn text(&self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.ask(arguments).1).trim().to_owned()
    }

    /// Whether there is such an object.
    #[must_use]
    pub fn has(&self, sha: &str) -> bool {
        let is_sha = sha.len() == 40 && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_sha && self.ask(&["cat-file", "-e", sha]).0 == 0
    }

    /// Commits that `head` has and `base` lacks, oldest first; with no base, all of `head`.
    #[must_use]
    pub fn commits(&self, base: Option<&str>, head: &str) -> Vec<GitCommit> {
        let range = base.map_or_else(|| head.to_owned(), |base| format!("{base}..{head}"));
        let format = "--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x01";
        let printed = self.ask(&["log", "--reverse", "--topo-order", format, &range, "--"]);
        let text = String::from_utf8_lossy(&printed.1).into_owned();
        text.split('\u{1}').filter_map(|record| read_commit(record.trim_start_matches('\n'))).collect()
    }

    /// One commit.
    #[must_use]
    pub fn commit(&self, sha: &str) -> Option<GitCommit> {
        let format = "--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B%x01";
        let printed = self.ask(&["log", "-1", format, sha, "--"]);
        let text = String::from_utf8_lossy(&printed.1).into_owned();
        read_commit(text.split('\u{1}').next()?)
    }

    /// The newest commit that both have.
    #[must_use]
    pub fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        Some(self.text(&["merge-base", one, other])).filter(|sha| !sha.is_empty())
    }

    /// How many commits `head` lacks of `base`, and `base` of `head`.
    #[must_use]
    pub fn behind_ahead(&self, base: &str, head: &str) -> (u64, u64) {
        let counted = self.text(&["rev-list", "--left-right", "--count", &format!("{base}...{head}"), "--"]);
        let mut numbers = counted.split_whitespace().filter_map(|word| word.parse().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    }

    /// Files that differ between two commits, renames found.
    #[must_use]
    pub fn files(&self, from: &str, to: &str) -> Vec<GitFile> {
        let printed = self.ask(&["diff-tree", "-r", "-M", "--raw", "--full-index", "-z", from, to]);
        let text = String::from_utf8_lossy(&printed.1).into_owned();
        let counted = self.ask(&["diff-tree", "-r", "-M", "--numstat", "--no-renames", "-z", from, to]);
        let counted = String::from_utf8_lossy(&counted.1).into_owned();
        let lines: HashMap<&str, (u64, u64)> = counted
            .split('\0')
            .filter_map(|record| {
                let mut words = record.split('\t');
                let (added, removed) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                Some((words.next()?, (added, removed)))
            })
            .collect();
        let mut words = text.split('\0').filter(|word| !word.is_empty());
        let mut files = Vec::new();
        while let (Some(header), Some(first)) = (words.next(), words.next()) {
            let mut parts = header.split(' ').skip(2);
            let (old, new) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let change = parts.next().and_then(|word| word.chars().next()).unwrap_or('M');
            let second = if change == 'R' { words.next() } else { None };
            let path = second.unwrap_or(first);
            let blob = if change == 'D' { old } else { new };
            files.push(GitFile {
                path: path.to_owned(),
                previous: second.map(|_| first.to_owned()),
                change,
                blob: blob.to_owned(),
                lines: lines.get(path).copied().unwrap_or((0, 0)),
            });
        }
        files
    }

    /// The tree of a merge, where it merges.
    #[must_use]
    pub fn merged_tree(&self, base: &str, head: &str) -> Option<String> {
        let answer = self.ask(&["merge-tree", "--write-tree", "--no-messages", base, head]);
        (answer.0 == 0).then(|| String::from_utf8_lossy(&answer.1).trim().to_owned())
    }

    /// Makes a commit.
    #[must_use]
    pub fn make_commit(
        &self,
        tree: &str,
        parents: &[&str],
        message: &str,
        author: [&str; 3],
        committer: (&str, &str, Timestamp),
    ) -> String {
        let mut arguments = vec!["commit-tree", tree];
        for parent in parents {
            arguments.extend(["-p", parent]);
        }
        let mut git = self.command(&arguments);
        git.env("GIT_AUTHOR_NAME", author[0])
            .env("GIT_AUTHOR_EMAIL", author[1])
            .env("GIT_AUTHOR_DATE", author[2])
            .env("GIT_COMMITTER_NAME", committer.0)
            .env("GIT_COMMITTER_EMAIL", committer.1)
            .env("GIT_COMMITTER_DATE", git_date(committer.2));
        String::from_utf8_lossy(&self.output(git, message.as_bytes()).1).trim().to_owned()
    }

    /// Puts the commits of `head` that `onto` lacks on top of it, messages and authors kept. None when one conflicts.
    #[must_use]
    pub fn rebased(&self, onto: &str, head: &str, committer: (&str, &str, Timestamp)) -> Option<String> {
        let mut tip = onto.to_owned();
        for commit in self.commits(Some(onto), head) {
            let [parent] = commit.parents.as_slice() else { continue };
            let merge_base = format!("--merge-base={parent}");
            let answer =
                self.ask(&["merge-tree", "--write-tree", "--no-messages", &merge_base, &tip, &commit.sha]);
            let tree = String::from_utf8_lossy(&answer.1).trim().to_owned();
            if answer.0 != 0 {
                return None;
            }
            let author = [commit.author[0].as_str(), &commit.author[1], &commit.author[2]];
            tip = self.make_commit(&tree, &[&tip], &commit.message, author, committer);
        }
        Some(tip)
    }

    /// Imports a stream of `git fast-import`; returns the SHA of each mark.
    #[must_use]
    pub fn import(&self, stream: &str) -> HashMap<u64, String> {
        let marks = self.folder.join(format!("marks-{:?}", std::thread::current().id()));
        let export = format!("--export-marks={}", marks.display());
        self.run(&["fast-import", "--quiet", "--force", &export], stream.as_bytes());
        let text = std::fs::read_to_string(&marks).expect("git wrote the marks");
        let lines = text.lines().filter_map(|line| line.strip_prefix(':')?.split_once(' '));
        lines.filter_map(|(mark, sha)| Some((mark.parse().ok()?, sha.to_owned()))).collect()
    }

    /// Writes a ref, or takes it away.
    pub fn set_ref(&self, name: &str, sha: Option<&str>) {
        if self.writes_refs {
            match sha {
                Some(sha) => drop(self.run(&["update-ref", name, sha], b"")),
                None => drop(self.run(&["update-ref", "-d", name], b"")),
            }
        }
    }

    /// Branches as the folder has them: after somebody pushed.
    #[must_use]
    pub fn branches(&self) -> Vec<(String, String)> {
        let printed =
            self.run(&["for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads"], b"");
        let text = String::from_utf8_lossy(&printed).into_owned();
        text.lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(name, sha)| (name.into(), sha.into()))
            .collect()
    }

    /// An object's kind and bytes.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<(String, Vec<u8>)> {
        let printed = self.output(self.command(&["cat-file", "--batch"]), format!("{name}\n").as_bytes()).1;
        let end = printed.iter().position(|byte| *byte == b'\n')?;
        let header = String::from_utf8_lossy(&printed[..end]).into_owned();
        let mut words = header.split(' ').skip(1);
        let (kind, size) = (words.next()?.to_owned(), words.next()?.parse::<usize>().ok()?);
        Some((kind, printed.get(end + 1..end + 1 + size)?.to_vec()))
    }

    /// Entries of a tree: mode, kind, SHA, path.
    #[must_use]
    pub fn tree(&self, sha: &str, recursive: bool) -> Vec<[String; 4]> {
        let arguments: &[&str] =
            if recursive { &["ls-tree", "-r", "-t", "-z", sha] } else { &["ls-tree", "-z", sha] };
        let printed = self.ask(arguments);
        let text = String::from_utf8_lossy(&printed.1).into_owned();
        let entries = text.split('\0').filter_map(|line| line.split_once('\t'));
        entries
            .filter_map(|(header, path)| {
                let mut words = header.split(' ').map(ToOwned::to_owned);
                Some([words.next()?, words.next()?, words.next()?, path.to_owned()])
            })
            .collect()
    }
}

fn read_commit(record: &str) -> Option<GitCommit> {
    let parts: Vec<&str> = record.splitn(10, '\0').collect();
    let [sha, tree, parents, an, ae, at, cn, ce, ct, message] = parts.as_slice() else { return None };
    let own = |texts: [&&str; 3]| texts.map(|text| (**text).to_owned());
    Some(GitCommit {
        sha: (*sha).to_owned(),
        tree: (*tree).to_owned(),
        parents: parents_of(parents),
        author: own([an, ae, at]),
        committer: own([cn, ce, ct]),
        message: (*message).to_owned(),
    })
}

fn parents_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(ToOwned::to_owned).collect()
}

/// Seconds and offset, as git takes them.
#[must_use]
pub fn git_date(at: Timestamp) -> String {
    format!("{} +0000", at.as_micros().div_euclid(1_000_000))
}
