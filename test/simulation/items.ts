import { createHash } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';

/** The input items that an output item comes from. */
export function sourcesOf({ pairedItem }: Pick<INodeExecutionData, 'pairedItem'>): number[] {
	return [pairedItem].flat().map((one) => (one as { item: number }).item);
}

export function isFailed({ json }: INodeExecutionData): boolean {
	return json.error !== undefined;
}

/** What a failed item says. */
export function messageOf({ json }: INodeExecutionData): string {
	return json.error as string;
}

/** Tells files apart. */
export function digestOf(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
