import type { INodePropertyOptions } from 'n8n-workflow';
import { readPage, withSectionsOf, writePage } from '../../reliabilityPage';
import { nodeTypes } from '../engine/runWorkflow';
import type { Outcome } from './cell';
import { faultCases, type FaultCase } from './faults';
import type { OperationCase } from './operations';

/** One cell of the matrix. */
export interface Cell {
	operation: OperationCase;
	fault: FaultCase;
	once: Outcome;
	always: Outcome;
}

const INTRODUCTION = `# Reliability

This page shows every operation of every node under every fault, run on n8n's engine against the emulator. \`npm run reliability\` runs all of it and writes this page.

These promises hold in every run. A run that breaks one of them fails the tests:

- **Nothing is paid for twice.** No POST is sent again after a successful response, a lost connection, a timeout, a status 408, 502, 504, or 52x, or a 500 that is not the gateway's own error object. A request that creates something is not sent again after any 500. [Paid once](paid-once.md) has the complete rules and the two settings that change them.
- **Nothing that was paid for is lost.** Everything that arrived is in the output or in the details of the failed item: an ID, a link, or the part of the response that could be read.
- **Nothing hangs, and nothing is left behind**, neither a timer nor a listener.
- **The API key stays private.** It is in no output, message, log, address, or file, and reaches no host other than the credential's.
- **Every failure is in words**, says what to do next, and affects only its own item.

Each cell shows the outcome of the run and, in parentheses, how many requests reached the gateway. Before the slash, the fault affects only one request; after the slash, it affects all requests. A single entry means that there was no second request, so it makes no difference. Max Retries is 2 in these runs. *works* means that the output is correct. Other words are the kind of the failure: *unreachable* (nothing was sent), *interrupted* (lost or timed out after sending), *answer* (not usable), *address* (a redirect or a web page), *request*, *authentication*, *permission*, *notFound*, *rateLimit*, and *gateway* (rejected with a status), *download* (created and paid for, with its link kept). *still waiting* is a task that continues, with its ID in the output. Operations with the same cells share a column. A dash means that the same code as in the first operation of the node reads the response, so that only that operation runs this expensive fault.
`;

/** The name of an operation in the tests and in the table. */
export function titleOf({ node, resource, operation, variant }: OperationCase): string {
	const { name, properties } = nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description;
	const options = properties
		.filter(
			(property) =>
				property.name === 'operation' &&
				(!resource || property.displayOptions?.show?.resource?.includes(resource)),
		)
		.flatMap((property) => (property.options ?? []) as INodePropertyOptions[]);
	const label = options.find(({ value }) => value === operation)?.name ?? 'Wait';
	return `${name} ${label}${variant ? ` (${variant})` : ''}`;
}

/** Writes docs/reliability.md, and keeps the sections of other commands. */
export function writeReport(cells: Cell[]): void {
	const nodes = [...new Set(cells.map(({ operation }) => operation.node))];
	const text = [INTRODUCTION, summary(cells), ...nodes.map((node) => sectionOf(node, cells))].join('\n');
	writePage(withSectionsOf(text, readPage()));
}

function summary(cells: Cell[]): string {
	const operations = new Set(cells.map(({ operation }) => operation));
	const broken = cells.flatMap(({ once, always }) => [...once.broken, ...always.broken]);
	return `${operations.size} operations × ${faultCases.length} faults: ${cells.length} cells, ${broken.length} with a broken promise.\n`;
}

function sectionOf(node: string, cells: Cell[]): string {
	const columns = columnsOf(cells.filter(({ operation }) => operation.node === node));
	const { displayName } = nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description;
	const head = [
		`| Fault | ${columns.map(({ title }) => title).join(' | ')} |`,
		`|${' --- |'.repeat(columns.length + 1)}`,
	];
	const rows = faultCases.map(
		({ name }, index) => `| ${name} | ${columns.map(({ entries }) => entries[index]).join(' | ')} |`,
	);
	const notes = columns.flatMap(({ title, operations }) =>
		operations.length > 1 ? [`\n${title}: ${operations.map(titleOf).join(', ')}.`] : [],
	);
	return [`\n## ${displayName}\n`, ...head, ...rows, ...notes].join('\n');
}

interface Column {
	title: string;
	operations: OperationCase[];
	/** Text of the cells, in the order of the faults. */
	entries: string[];
}

/** The operations of a node; those with the same cells together. */
function columnsOf(cells: Cell[]): Column[] {
	const columns = new Map<string, Column>();
	for (const operation of new Set(cells.map((cell) => cell.operation))) {
		const entries = faultCases.map((fault) => {
			const cell = cells.find((one) => one.operation === operation && one.fault === fault);
			return cell ? entryOf(cell) : '–';
		});
		const known = columns.get(entries.join());
		if (known) known.operations.push(operation);
		else columns.set(entries.join(), { title: titleOf(operation), operations: [operation], entries });
	}
	for (const column of columns.values()) {
		if (column.operations.length > 1) column.title += ` and ${column.operations.length - 1} more`;
	}
	return [...columns.values()];
}

function entryOf({ once, always }: Cell): string {
	const [first, second] = [once, always].map(({ result, requests }) => `${result} (${requests})`);
	return first === second ? first : `${first} / ${second}`;
}
