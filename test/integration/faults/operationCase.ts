import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Emulator, Rule } from '../../../emulator';

/** The ways in which the nodes read answers. */
type Reader =
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

/** How one operation of a node runs, on one item. */
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
	/** Route pattern of the answers that it is about; default: all routes of the gateway. */
	route?: string;
	/** What reads the answers; one entry with each reader is enough for what takes long. */
	reader?: Reader;
	/** How the emulator answers. */
	rule?: Rule;
}

/** The name of an operation in the tests. */
export function titleOf({ node, operation, variant }: OperationCase): string {
	return [node, operation, variant].filter(Boolean).join(' ');
}
