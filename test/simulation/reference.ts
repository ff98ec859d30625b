import type { INodeExecutionData } from 'n8n-workflow';
import { comparable } from '../integration/paidOnce/comparable';
import type { Emulation } from './emulation';
import { digestOf, isFailed, sourcesOf } from './items';
import { type History, simulate, type Try } from './simulate';
import { subjectNamed } from './subjects';
import { peaceful, type World } from './world';

/** The output of each item, as JSON, without what differs from run to run. */
type Rows = Map<number, string>;

/** Most worlds have no more rows. */
const USUAL_ROWS = 12;

/** What comes out where nothing goes wrong. */
export class Reference {
	private readonly known = new Map<string, Promise<Rows>>();

	constructor(private readonly emulation: Emulation) {}

	/** The output of an execution of a world without its faults, perhaps with further rows. */
	async of({ subject, rows, editedFrom = Infinity }: World, execution: number): Promise<Rows> {
		const isEdited = execution >= editedFrom;
		// A rank depends on all of the other items; other results depend on nothing but their own one.
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

/** Items whose output differs although nothing has happened to them, or nothing any more. */
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

/** A JSON text without what an answer says of its usage, also under the other names of `uncounted`. */
function withoutUsage(text: string): string {
	return text
		.replace(COUNTS, '')
		.replace(/,(?=\})/g, '')
		.replace(/"(?:other|usage|usageMetadata)":/g, '"usage":');
}

/** A song may still be unfinished, and a utility may have nothing to say. */
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
		// A run gives up after as many pauses for a limit as it may make. Refusals without a reason cause further ones.
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

/** Where two texts begin to differ. */
function differenceOf(text: string, expected: string): string {
	const start = text.split('').findIndex((letter, index) => letter !== expected[index]);
	const [shown, other] = [text, expected].map((one) => one.slice(Math.max(0, start - 40), start + 80));
	return `${shown} instead of ${other}`;
}
