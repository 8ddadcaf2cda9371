import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seccompFilter } from './seccomp.ts';

/**
 * What keeps a child that opens PDFs from everything but its job, should a file take it over. Node's permission model
 * restricts files, programs and native code, but neither the network nor signals, and an error in V8 could get around it.
 * So on Linux the kernel confines the process as well: Landlock to the files it needs, a seccomp filter to itself.
 */
export interface Confinement {
  /** What to put in front of the command that starts Node. */
  prefix: string[];
  /** Node's flags for reading the program's code and `more`. */
  readFlags(...more: string[]): string[];
  /** What the kernel doesn't prevent, for the operator; null if nothing. */
  gap: string | null;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The program's code. Not all of its folder, because DATA_DIR may be in it. */
export function programFiles(): string[] {
  const own = ['package.json', 'src', 'packages'].map((name) => join(ROOT, name));
  // Where Node looks for packages. An installed program is in one of these folders itself.
  for (let folder = ROOT; ; folder = dirname(folder)) {
    own.push(join(folder, 'node_modules'));
    if (dirname(folder) === folder) return withTargets(own.filter((path) => existsSync(path)));
  }
}

/** With the folders that links lead to, from which Node loads: of all packages, or of some, as package stores do. */
function withTargets(paths: string[]): string[] {
  const all = [...paths];
  for (const path of paths)
    for (const target of [realpathSync(path), ...(path.endsWith('node_modules') ? targetsIn(path) : [])])
      if (!all.some((known) => target === known || target.startsWith(known + sep))) all.push(target);
  return all;
}

/** The folders of the packages that are links. */
function targetsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('@') ? targetsIn(path) : [];
    return entry.isSymbolicLink() && existsSync(path) ? [dirname(realpathSync(path))] : [];
  });
}

/** Node's flag gives these characters a special meaning. */
const SPECIAL = /[*,]/;

const READ_ALL = '--allow-fs-read=*';

function readProgram(...more: string[]): string[] {
  const paths = [...programFiles(), ...more];
  return paths.some((path) => SPECIAL.test(path))
    ? [READ_ALL]
    : paths.map((path) => `--allow-fs-read=${path}`);
}

/** What the dynamic linker and the C library read. */
const SYSTEM_FILES = ['/usr', '/lib', '/lib64', '/etc/ld.so.cache', '/dev/null', '/dev/urandom'];

const PERL = '/usr/bin/perl';
const OUTSIDE = 'code is outside of the folders of the program';
const UNCONFINED = 'using the network, signalling processes or reading files (no seccomp or no Perl)';

/** What a child may be confined with on some system or other, the strictest first. Without `withFiles`, Landlock is left out. */
export function confinements({ withFiles = true } = {}): Confinement[] {
  const seccomp = process.platform === 'linux' && existsSync(PERL) ? seccompFilter() : null;
  const readAll = () => [READ_ALL];
  const unconfined: Confinement[] = [
    { prefix: [], readFlags: readProgram, gap: UNCONFINED },
    { prefix: [], readFlags: readAll, gap: UNCONFINED },
  ];
  if (!seccomp) return unconfined;
  const files = [...SYSTEM_FILES, process.execPath, ...programFiles()].filter((path) => existsSync(path));
  const { prctl, filter } = seccomp;
  const confined = (...paths: string[]) => [
    PERL,
    '-e',
    LOADER,
    String(prctl),
    filter.toString('hex'),
    ...paths,
    '--',
  ];
  return [
    { prefix: confined(...(withFiles ? files : [])), readFlags: readProgram, gap: null },
    { prefix: confined(), readFlags: readProgram, gap: 'reading files (no Landlock)' },
    { prefix: confined(), readFlags: readAll, gap: `reading files (${OUTSIDE})` },
    ...unconfined,
  ];
}

/**
 * Restricts its own process and becomes the program in its arguments, which inherits the restrictions. In Perl, because
 * Node can't call the kernel, and Debian and Ubuntu always have it. The arguments: the number of prctl, the filter in
 * hexadecimal, the files that may be read (none: all), `--`, the program. Exits with 126 if the kernel refuses.
 */
const LOADER = String.raw`
my ($prctl, $filter) = (shift() + 0, pack 'H*', shift);
my @paths;
push @paths, shift while $ARGV[0] ne '--';
shift;
# PR_SET_NO_NEW_PRIVS
syscall($prctl, 38, 1, 0, 0, 0) == 0 or exit 126;
if (@paths) {
  my $version = syscall(444, 0, 0, 1);
  $version > 0 or exit 126;
  # Every kind of access that this version knows; TCP; signals and abstract sockets.
  my $access = $version < 2 ? 0x1fff : $version < 3 ? 0x3fff : $version < 5 ? 0x7fff : 0xffff;
  my $rules = pack 'QQQ', $access, 3, 3;
  my $ruleset = syscall(444, $rules, $version < 4 ? 8 : $version < 6 ? 16 : 24, 0);
  $ruleset >= 0 or exit 126;
  for my $path (@paths) {
    # O_PATH | O_CLOEXEC
    sysopen(my $file, $path, 0x280000) or exit 126;
    # Read and execute files, list folders.
    my $rule = pack 'Ql', -d $path ? 13 : 5, fileno $file;
    syscall(445, $ruleset, 1, $rule, 0) == 0 or exit 126;
  }
  syscall(446, $ruleset, 0) == 0 or exit 126;
}
# The process may signal itself: that is how it aborts.
$filter =~ s/\xef\xbe\xad\xde/pack 'L', $$/ge;
my $program = pack 'S x6 P', length($filter) / 8, $filter;
# PR_SET_SECCOMP, SECCOMP_MODE_FILTER
syscall($prctl, 22, 2, $program) == 0 or exit 126;
exec { $ARGV[0] } @ARGV;
exit 126;
`;
