import { dialectGroups, type Dialect } from '../../../emulator/dialects';
import { nodeTypes } from '../engine/runWorkflow';
import { readPage, withSection, writePage } from '../../reliabilityPage';
import { titleOf } from '../faults/report';
import type { DialectCell, Outcome } from './cell';

const NAME = 'dialects';
const COMMAND = 'reliability';

const INTRODUCTION = `## Gateways that answer in another shape

The interface leaves much open, and gateways of this kind differ. Here the emulator answers in a dialect: one way in which some gateway's answer differs from the documented one. Each dialect is run with every operation whose answers it changes, and the output is compared with the one without a dialect.

*right* means that the output is the same, but for what the dialect takes away; among the dialects with one bad entry, that no more than this entry is missing; and in those that fail once, that the request was repeated. *refused with words* means that the item failed and that its message has the gateway's own words or names the field. Nothing else is allowed: a refusal without these words, or of an answer that could be used; an answer that was paid for and is neither in the output nor in the failed item; or an output that is wrong without a word. A dash means that the dialect changes none of the node's answers.`;

/** Writes the section of docs/reliability.md. */
export function writeDialects(cells: DialectCell[]): void {
	writePage(withSection(readPage(), NAME, contentOf(cells), COMMAND));
}

/** The section's text. */
export function contentOf(cells: DialectCell[]): string {
	const dialects = new Set(cells.map(({ dialect }) => dialect));
	const operations = new Set(cells.map(({ operation }) => operation));
	const count = (outcome: Outcome) => cells.filter((cell) => cell.outcome === outcome).length;
	const others = cells.filter(({ isRight }) => !isRight).length;
	const summary = `${dialects.size} variants × ${operations.size} operations: ${cells.length} cells, ${count('silently wrong')} silently wrong, ${count('paid answer lost')} paid answers lost, ${others} not as they must be.`;
	const nodes = [...new Set(cells.map(({ operation }) => operation.node))];
	const tables = Object.entries(dialectGroups).map(([title, group]) => tableOf(title, group, nodes, cells));
	return [INTRODUCTION, summary, ...tables].join('\n\n');
}

function tableOf(title: string, group: readonly Dialect[], nodes: string[], cells: DialectCell[]): string {
	const ofGroup = cells.filter(({ dialect }) => group.includes(dialect));
	const hit = nodes.filter((node) => ofGroup.some(({ operation }) => operation.node === node));
	const names = hit.map((node) => nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description.displayName);
	const rows = group.map((dialect) => {
		const ofDialect = ofGroup.filter((cell) => cell.dialect === dialect);
		const entries = hit.map((node) => entryOf(ofDialect.filter(({ operation }) => operation.node === node)));
		return `| \`${dialect.name}\` | ${dialect.description.replace(/\|/g, '\\|')} | ${entries.join(' | ')} |`;
	});
	return [
		`### ${title}\n`,
		`| Dialect | Answer | ${names.map((name) => name.replace('Unified AI ', '')).join(' | ')} |`,
		`|${' --- |'.repeat(hit.length + 2)}`,
		...rows,
	].join('\n');
}

/** The outcomes of a node's operations, each with its number where they differ. */
function entryOf(cells: DialectCell[]): string {
	const outcomes = [...new Set(cells.map(({ outcome }) => outcome))];
	if (outcomes.length < 2) return outcomes[0] ?? '–';
	return outcomes
		.map((outcome) => `${outcome} (${cells.filter((cell) => cell.outcome === outcome).length})`)
		.join(', ');
}

/** A cell that is not as it must be, in words. */
export function faultOf({ operation, outcome, note }: DialectCell): string {
	return `${titleOf(operation)}: ${outcome}${note ? ` – ${note}` : ''}`;
}
