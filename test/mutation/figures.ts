import { sectionOf, withSection } from '../reliabilityPage';

/** A report of Stryker, as far as the figures need it. */
export interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

/** What became of the mutants of a folder. */
export interface Figures {
	folder: string;
	/** A test failed, or did not end. */
	detected: number;
	survived: number;
	/** No test runs the changed line. They count as survivors. */
	notCovered: number;
}

/** Counts the mutants of a report. Those that cannot be compiled, or that a comment excludes, do not count. */
export function figuresOf(folder: string, { files }: Report): Figures {
	const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
	const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
	return {
		folder,
		detected: count('Killed', 'Timeout'),
		survived: count('Survived'),
		notCovered: count('NoCoverage'),
	};
}

/** The share of detected mutants, in percent. */
export function scoreOf({ detected, survived, notCovered }: Omit<Figures, 'folder'>): number {
	const all = detected + survived + notCovered;
	return all === 0 ? 100 : (100 * detected) / all;
}

const TABLE_HEAD = [
	'| Folder | Mutants | Detected | Survived | Not covered | Score |',
	`|${' --- |'.repeat(6)}`,
];
const ROW = /^\| `nodes\/shared\/(\w+)` +\| +(\d+) +\| +(\d+) +\| +(\d+) +\| +(\d+) +\|/gm;

/** A page with new figures in its section, which is added at the end if there is none. Figures of other folders stay. */
export function withFigures(page: string, figures: Figures[]): string {
	const known = figuresIn(sectionOf(page, 'mutation') ?? '');
	const rows = new Map([...known, ...figures].map((row) => [row.folder, row]));
	const sorted = [...rows.values()].sort((one, other) => one.folder.localeCompare(other.folder));
	return withSection(page, 'mutation', contentOf(sorted));
}

function figuresIn(section: string): Figures[] {
	return [...section.matchAll(ROW)].map(([, folder, , detected, survived, notCovered]) => ({
		folder,
		detected: Number(detected),
		survived: Number(survived),
		notCovered: Number(notCovered),
	}));
}

function contentOf(rows: Figures[]): string {
	return ['## Mutation testing', '', INTRODUCTION, '', ...TABLE_HEAD, ...rows.map(rowOf)].join('\n');
}

const INTRODUCTION =
	'`npm run mutation` changes the code in one place at a time, in the folders that decide about money, secrets, and limits, and runs the unit tests of that folder. If all of them still pass, the change has survived: nothing tests this place. The score is the share of changes that a test detects; below 85 %, the command fails.';

function rowOf(figures: Figures): string {
	const { folder, detected, survived, notCovered } = figures;
	const cells = [detected + survived + notCovered, detected, survived, notCovered];
	return `| \`nodes/shared/${folder}\` | ${cells.join(' | ')} | ${Math.floor(scoreOf(figures))} % |`;
}
