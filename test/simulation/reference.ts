import type { INodeExecutionData } from 'n8n-workflow';
import { comparable } from '../integration/paidOnce/comparable';
import type { Emulation } from './emulation';
import { digestOf, isFailed, sourcesOf } from './items';
import { type History, simulate, type Try } from './simulate';
import { subjectNamed } from './subjects';
import { peaceful, type World } from './world';

/** The output of each item as JSON, without values that differ from run to run. */
type Rows = Map<number, string>;

/** The number of rows that most worlds do not exceed. */
const USUAL_ROWS = 12;

/** Provides the output of worlds in which nothing goes wrong. */
export class Reference {
	private readonly known = new Map<string, Promise<Rows>>();

	constructor(private readonly emulation: Emulation) {}

	/** Returns the output of an execution of a world without its faults, possibly with additional rows. */
	async of({ subject, rows, editedFrom = Infinity }: World, execution: number): Promise<Rows> {
		const isEdited = execution >= editedFrom;
		// A rank depends on all other items; every other result depends only on its own item.
		const most = subjectNamed(subject).isRanked ? rows : Math.max(rows, USUAL_ROWS);
		const key = `${subject} ${isEdited} ${most}`;
		const output = this.known.get(key) ?? this.calculate(subject, most, isEdited);
		this.known.set(key, output);
		return await output;
	}

	private async calculate(subject: string, rows: number, isEdited: boolean): Promise<Rows> {
		const world = { ...peaceful(subject, rows), editedFrom: isEdited ? 0 : undefined };
		const history = await simulate(world, this.emulation);
		return await rowsOf(history.tries[0].output ?? [], history);
	}
}

/** Finds items whose output differs although nothing has affected them, or nothing affects them any more. */
export async function differences(history: History, reference: Reference): Promise<string[]> {
	const { world, tries } = history;
	const broken: string[] = [];
	for (const one of tries) {
		if (!one.output) continue;
		const hit = new Set(one.isFinal && !mayDiffer(history) ? [] : hitRows(history, one));
		const expected = await reference.of(world, one.execution);
		const rows = await rowsOf(one.output, history);
		for (const [row, output] of rows) {
			if (isSame(output, expected.get(row), history)) continue;
			const items = one.output.filter((item) => sourcesOf(item).includes(row));
			if (hit.has(row) && (items.some(isFailed) || mayDiffer(history))) continue;
			broken.push(`item ${row}: ${differenceOf(output, expected.get(row) ?? '')}`);
		}
	}
	return broken;
}

/** Whether outputs are the same, apart from usage: a stop may have cut it off, and the gateway may not report it. */
function isSame(output: string, expected: string | undefined, { tries, world }: History): boolean {
	const hasUsage = !world.reporting && !tries.some(({ interference }) => interference);
	const comparableOf = (text = '') => (hasUsage ? text : withoutUsage(text));
	return comparableOf(output) === comparableOf(expected);
}

const COUNTS = /"(?:other_)?(?:cost|\w*[Tt]okens?|\w*TokenCount)":(?:null|[\d.]+),?/g;

/** Removes usage from a JSON text, including usage under the other names that `uncounted` gives it. */
function withoutUsage(text: string): string {
	return text
		.replace(COUNTS, '')
		.replace(/,(?=\})/g, '')
		.replace(/"(?:other|usage|usageMetadata)":/g, '"usage":');
}

/** Tells whether outputs may differ: a song may still be unfinished, and a utility may have nothing to return. */
function mayDiffer({ subject }: History): boolean {
	return subject.repeatability !== 'generate';
}

/** Items to which anything has happened in the execution of a try, or in any from which it has taken over a result. */
function hitRows(history: History, { execution }: Try): number[] {
	const { world, gateway, tries, subject } = history;
	const all = Array.from({ length: world.rows }, (_, row) => row);
	const takesOver = mayDiffer(history);
	const own = gateway.exchanges.filter((exchange) => takesOver || exchange.execution === execution);
	const hit = own.filter(({ standing, fault }) => standing !== 'delivered' || fault !== undefined);
	const refusals = own.filter(({ fault }) => fault && 'status' in fault && fault.status === 429).length;
	const isDisturbed =
		world.maxRequests + world.maxTokens + world.maxCost > 0 ||
		world.outages.length > 0 ||
		// A run gives up after the largest allowed number of pauses for a limit. Other refusals cause additional pauses.
		(world.limit !== undefined && refusals >= (world.options.maxRateLimitRetries ?? Infinity)) ||
		tries.some((one) => one.interference);
	return isDisturbed || (subject.isShared && hit.length > 0)
		? all
		: [...new Set(hit.flatMap(({ rows }) => rows))];
}

async function rowsOf(output: INodeExecutionData[], { host, subject }: History): Promise<Rows> {
	const digest = async ({ id = '' }: { id?: string }) => digestOf(host.store.files.get(id)!);
	const [items] = (await comparable([output], digest, subject.chance)) as [object[]];
	const rows = new Map<number, string>();
	for (const [index, item] of items.entries()) {
		const [row] = sourcesOf(output[index]);
		rows.set(row, (rows.get(row) ?? '') + JSON.stringify(item));
	}
	return rows;
}

/** Quotes two texts where they begin to differ. */
function differenceOf(text: string, expected: string): string {
	const start = text.split('').findIndex((letter, index) => letter !== expected[index]);
	const [shown, other] = [text, expected].map((one) => one.slice(Math.max(0, start - 40), start + 80));
	return `${shown} instead of ${other}`;
}
