import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Emulator, Rule } from '../../../emulator';
import type { BatchCase } from './batches';

/** The ways in which the nodes read answers. */
export type Reader =
	| 'JSON'
	| 'event stream'
	| 'audio'
	| 'audio to join'
	| 'image file'
	| 'image in JSON'
	| 'track'
	| 'task'
	| 'voice list'
	| 'embeddings'
	| 'utility';

/** How the fault matrix runs one operation of a node, on one item. */
export interface OperationCase {
	/** Internal name of the node. */
	node: string;
	operation: string;
	/** Distinguishes several entries of an operation. */
	variant?: string;
	/** The required parameters of the operation; Options are added. */
	parameters: INodeParameters;
	/** Default: one empty item. */
	input?(emulator: Emulator): INodeExecutionData[];
	/** Route pattern that the faults hit; default: all routes of the gateway. */
	route?: string;
	/** Whether the same code as for the previous entry reads the answers, so that only that entry runs expensive faults. */
	sharesReader?: boolean;
	/** What reads the answers that the faults hit; only the first entry with each reader runs the most expensive faults. */
	reader?: Reader;
	/** How the emulator answers. */
	rule?: Rule;
	/** How the operation runs on many rows; default: not at all. */
	batch?: BatchCase;
	/** Whether a POST creates something, so that it must not be repeated even after a 500. */
	creates?: boolean;
}

/** The name of an operation in the tests. */
export function titleOf({ node, operation, variant }: OperationCase): string {
	return [node, operation, variant].filter(Boolean).join(' ');
}
