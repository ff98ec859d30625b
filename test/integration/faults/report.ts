import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './cell';
import type { FaultCase } from './faults';
import type { OperationCase } from './operations';

/** One cell of the matrix. */
export interface Cell {
	operation: OperationCase;
	fault: FaultCase;
	once: Outcome;
	always: Outcome;
}

/** An operation as the tests and the table call it. */
export function titleOf({ node, resource, operation, variant }: OperationCase): string {
	const name = [node, resource, operation].filter(Boolean).join(' / ');
	return variant ? `${name} (${variant})` : name;
}

/** Writes docs/reliability.md. */
export function writeReport(cells: Cell[]): void {
	const text = cells
		.map(
			({ operation, fault, once, always }) =>
				`${titleOf(operation)} | ${fault.name} | ${once.result} ${once.requests} | ${always.result} ${always.requests}`,
		)
		.sort()
		.join('\n');
	writeFileSync(join(process.env.OUT ?? '/tmp', 'report.txt'), text);
}
