import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Rule } from '../../../emulator';

/** A node that pays for something per row. */
export interface PaidCase {
	name: string;
	/** Internal name of the node. */
	node: string;
	/** Route pattern of what is paid for. */
	route: string;
	/** @param text the row's text, as JavaScript of an n8n expression */
	parameters: (text: string) => INodeParameters;
	/** Options of the node. */
	options?: INodeParameters;
	/** How the emulator answers. */
	rule?: Rule;
	/** Files of each row. */
	binary?: INodeExecutionData['binary'];
	/** Requests per row; default 1. */
	perRow?: number;
	/** Text that only the refused request of a row contains; default: its text. */
	refusedText?: (row: number) => string;
	/** Fields that the gateway draws by chance; `content` stands for the content of the files. */
	chance?: RegExp;
	/** Requests with a refused row until the row fails in a first try; default 1. Batches are halved, or tried with harmless text. */
	refusals?: number;
}

export const ROWS = [1, 2, 3, 4, 5, 6, 7];
/** The row's text in an n8n expression. */
export const TEXT = '$json.text';

/** Text that only the requests for a row contain. Nothing in it is escaped in addresses. */
export function markOf(row: number): string {
	return `Row${row}-`;
}

export function textOf(row: number): string {
	return `The ${markOf(row)}fox ran over the hill.`;
}

export const CHAT = 'POST /v1/chat/completions';
export const IMAGE = 'POST /v1/images/generations';
export const SPEECH = 'POST /v1/audio/speech';
export const EMBED = 'POST /v1/embeddings';
export const SUBMIT = 'POST /v1/music/generations';
