import { createHash } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';

/** Returns the input items from which an output item comes. */
export function sourcesOf({ pairedItem }: Pick<INodeExecutionData, 'pairedItem'>): number[] {
	return [pairedItem].flat().map((one) => (one as { item: number }).item);
}

export function isFailed({ json }: INodeExecutionData): boolean {
	return json.error !== undefined;
}

/** Returns the error message of a failed item. */
export function messageOf({ json }: INodeExecutionData): string {
	return json.error as string;
}

/** Returns a digest that identifies the content of a file. */
export function digestOf(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
