import { titleOf } from '../faults/operationCase';
import type { DialectCell } from './cell';

/** A cell that is not as it must be, in words. */
export function faultOf({ operation, outcome, note }: DialectCell): string {
	return `${titleOf(operation)}: ${outcome}${note ? ` – ${note}` : ''}`;
}
