import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Rule } from '../../../emulator';

/** A node that pays for something for each row. */
export interface PaidCase {
	name: string;
	/** The internal name of the node. */
	node: string;
	/** The route pattern of the paid requests. */
	route: string;
	/** @param text the row's text, as JavaScript in an n8n expression */
	parameters: (text: string) => INodeParameters;
	options?: INodeParameters;
	/** A rule for the answers of the emulator. */
	rule?: Rule;
	/** The files of each row. */
	binary?: INodeExecutionData['binary'];
	/** The number of requests per row; default 1. */
	perRow?: number;
	/** Returns a text that only the refused request of a row contains; default: the row's text. */
	refusedText?: (row: number) => string;
	/** Fields that have random content at the gateway; `content` stands for the content of the files. */
	chance?: RegExp;
	/** Requests with a refused row until the row fails in a first try; default 1. Batches are halved, or tried with harmless text. */
	refusals?: number;
}

export const ROWS = [1, 2, 3, 4, 5, 6, 7];
/** The row's text, in an n8n expression. */
export const TEXT = '$json.text';

/** Returns a text that only the requests for a row contain. Addresses need no escapes for it. */
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
