import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { nodeTypes } from '../engine/runWorkflow';

import { ROWS } from './batches';
import type { Outcomes } from './cell';
import { faultCases } from './faults';
import type { Cell } from './matrix';
import type { OperationCase } from './operations';

const ROOT = join(__dirname, '../../..');
const FILE = join(ROOT, 'docs/reliability.md');

const INTRODUCTION = `# Reliability

This page shows every operation of every node under every fault, run on n8n's engine against the emulator. \`npm run reliability\` runs all of it and writes this page.

These promises hold in every run. A run that breaks one of them fails the tests:

- **Nothing is paid for twice.** No POST is sent again after a successful response, a lost connection, a timeout, a status 408, 502, 504, or 52x, or a 500 that is not the gateway's own error object. A request that creates something is not sent again after any 500. [Paid once](paid-once.md) has the complete rules and the two settings that change them.
- **Nothing that was paid for is lost.** The tests record what the gateway sends. Every text, ID, link, and file in it is in the output or in the failed item: under \`details.partial\`, as \`details.taskId\`, or as a file. If nothing of value arrived, the failed item says that the request may have been carried out.
- **Only the row that is hit is affected.** In a batch of ${ROWS} rows of which the fault hits one, the other ${ROWS - 1} have the same output as without the fault, in the same order, and the row that is hit fares as it does alone.
- **Nothing hangs, and nothing is left behind**, neither a timer nor a listener, nor a file that is larger than a compressed or endless answer may become.
- **The API key stays private.** It is in no output, message, log, address, or file, and reaches no host other than the credential's, even if the gateway repeats it.
- **Every failure is in words** and says what to do next.

Each cell shows the outcome of the run and, in parentheses, how many requests reached the gateway. Before the slash, the fault affects only one request; after the slash, it affects all requests. A single entry means that there was no second request, so it makes no difference. Max Retries is 2 in these runs. *works* means that the output is correct. Other words are the kind of the failure: *unreachable* (nothing was sent), *interrupted* (lost or timed out after sending), *answer* (not usable), *address* (a redirect or a web page), *request*, *authentication*, *permission*, *notFound*, *rateLimit*, and *gateway* (rejected with a status), *download* (created and paid for, with its link kept). *still waiting* is a task that continues, with its ID in the output. Operations with the same cells share a column. A dash means that the operation cannot have this fault, or that the same code as in another operation reads the response and runs this fault there.
`;

const SECTIONS_OF_OTHERS = /<!-- (\w+): written by [^>]*-->[^]*?<!-- end of \1 -->/g;

/** The name of an operation in the tests and in the table. */
export function titleOf({ node, operation, variant }: OperationCase): string {
	const { name, properties } = nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description;
	const options = properties
		.filter((property) => property.name === 'operation')
		.flatMap((property) => (property.options ?? []) as INodePropertyOptions[]);
	const label = options.find(({ value }) => value === operation)?.name;
	return `${name} ${label}${variant ? ` (${variant})` : ''}`;
}

/** Writes docs/reliability.md. */
export function writeReport(cells: Cell[]): void {
	const nodes = [...new Set(cells.map(({ operation }) => operation.node))];
	const sections = nodes.map((node) => sectionOf(node, cells));
	const ours = [INTRODUCTION, summary(cells), ...sections, batchSection(cells), costSection(cells)];
	// Other commands keep their figures on this page, too.
	const text = [...ours, ...(readReport().match(SECTIONS_OF_OTHERS) ?? [])].join('\n\n');
	writeFileSync(FILE, text);
	execFileSync(process.execPath, [join(ROOT, 'node_modules/prettier/bin/prettier.cjs'), '--write', FILE]);
}

/** The current text of the page. */
export function readReport(): string {
	return readFileSync(FILE, 'utf8');
}

function summary(cells: Cell[]): string {
	const operations = new Set(cells.map(({ operation }) => operation));
	const batches = cells.filter(({ batch }) => batch);
	const broken = cells.flatMap(({ once, always, batch }) =>
		[once, always, batch?.once, batch?.always].flatMap((outcome) => outcome?.broken ?? []),
	);
	return `${operations.size} operations × ${faultCases.length} faults: ${cells.length} cells and ${batches.length} batches, ${broken.length} with a broken promise.\n`;
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

/** The row that is hit in batches, where operations with the same outcomes share a column as well. */
function batchSection(cells: Cell[]): string {
	const batches = cells.flatMap(({ batch, ...cell }) => (batch ? [{ ...cell, ...batch, batch }] : []));
	const faults = faultCases.filter((fault) => batches.some((cell) => cell.fault === fault));
	const lines = faults.map(({ name }) => {
		const ofFault = batches.filter(({ fault }) => fault.name === name);
		const entries = new Map<string, string[]>();
		for (const cell of ofFault) {
			const known = entries.get(entryOf(cell)) ?? [];
			entries.set(entryOf(cell), [...known, titleOf(cell.operation)]);
		}
		const texts = [...entries].map(([entry, titles]) => `${entry}: ${titles.join(', ')}`);
		return `| ${name} | ${texts.join('<br>')} |`;
	});
	return [
		`\n## One of ${ROWS} rows\n`,
		'The outcome of the row that is hit. The other rows have the same output as without the fault. One operation for each way of reading an answer runs in batches; faults that keep a connection from being made hit all rows and are not among them. *npm test* runs a part of these.\n',
		'| Fault | The row that is hit |',
		'| --- | --- |',
		...lines,
	].join('\n');
}

/** What hostile answers cost; for information, because it depends on the machine. */
function costSection(cells: Cell[]): string {
	const faults = faultCases.filter(({ isAlone }) => isAlone);
	const lines = faults.map((fault) => {
		const outcomes = cells
			.filter((cell) => cell.fault === fault)
			.flatMap(({ once, always }) => [once, always]);
		const blockedMs = Math.max(0, ...outcomes.map((outcome) => outcome.blockedMs));
		const stored = Math.max(0, ...outcomes.map(({ storedBytes }) => storedBytes));
		return `| ${fault.name} | ${blockedMs} ms | ${(stored / 1e6).toFixed(1)} MB |`;
	});
	return [
		'\n## What a hostile answer costs\n',
		"These faults run one after the other. The first figure is the longest time for which the event loop of the process did not run; it includes the work of the emulator, which runs in the same process and makes these answers, and is for information only. The second figure is what was written to n8n's binary store.\n",
		'| Fault | Event loop | Binary store |',
		'| --- | --- | --- |',
		...lines,
	].join('\n');
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

function entryOf({ once, always }: Outcomes): string {
	const [first, second] = [once, always].map(({ result, requests }) => `${result} (${requests})`);
	return first === second ? first : `${first} / ${second}`;
}
