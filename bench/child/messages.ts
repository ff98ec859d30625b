import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';

/** One node to run over items, in the process that measures. */
export interface Task {
	node: INode;
	items: IDataObject[];
	/** Files on the disk that the first item gets from n8n's binary store, by field. */
	files?: Record<string, string>;
	/** Decrypted credentials by type. */
	credentials: Record<string, ICredentialDataDecryptedObject>;
}

/** What a task took. */
export interface Outcome {
	/** Milliseconds in the engine. */
	tookMs: number;
	/** Milliseconds of processor time of the whole process. */
	processorMs: number;
	/** Most memory of the process above what it held before the task, in bytes. */
	peakBytes: number;
	/** Items that came out without an error. */
	succeeded: number;
	/** Bytes of the files of these items. */
	fileBytes: number;
	/** Why the run stopped, if it did, or the first item that failed. */
	stopped?: string;
}
