import type { IDataObject } from 'n8n-workflow';

/** The effect of a request: `generate` costs, but creates nothing permanent; `create` creates a task or a voice. */
export type Repeatability = 'read' | 'generate' | 'create';

/** The facts of a failure, as plain data. */
export interface FailureFacts {
	status?: number;
	/** `error.code` of the gateway's response (interface, 2.11). */
	code?: string;
	/** `error.type` of the gateway's response. */
	type?: string;
	/** `error.message` of the gateway's response. */
	gatewayMessage?: string;
	requestId?: string;
	/** The number of times that the request was tried; 0 if it was not. */
	attempts?: number;
	/** The ID of an asynchronous task that was submitted. */
	taskId?: string;
	/** The part of the response that arrived before it was cut off, or other results that must not be lost. */
	partial?: IDataObject;
	/** The stack of a fault of this package. */
	stack?: string;
}

/** A response that reports no success, by its status or by an error inside status 200. */
export interface Report {
	/** The status of the response, or of the envelope inside it. */
	status: number;
	/** True if the body is the error object of a gateway (interface, 2.11), which proxies do not send. */
	hasErrorObject: boolean;
	isWebPage: boolean;
	/** True if a result is beside the error, or was passed on before it. */
	hasResult: boolean;
	/** The time that the response asks to wait, in milliseconds. */
	waitMs?: number;
	/** The milliseconds until a limit resets, which many responses report. */
	resetMs?: number;
}

/** The properties of a request that its verdict depends on. */
export interface Asked {
	does: Repeatability;
	/** True if such requests are paid for, including those of utilities, which only read. */
	isPaid: boolean;
	/** True if the gateway recognizes a repetition, so that it costs nothing. */
	hasIdempotencyKey: boolean;
	/** True if a file of a result is downloaded. */
	isFile: boolean;
	/** True if somebody has seen a part of the answer, so that it must not begin again. */
	isShown: boolean;
}

/** The end of one attempt. `isSent` is true if any part of the request may have been sent. */
export type End =
	/** Code of this package threw; `hasSucceeded` is true if a response with a status of success had arrived. */
	| { end: 'fault'; isSent: boolean; hasSucceeded: boolean }
	| { end: 'stopped'; isSent: boolean }
	/** `forbidden`: n8n or Node.js refused to send the request. */
	| { end: 'forbidden' | 'notConnected' | 'lost' }
	/** The response reports no success; `facts` contains its words. */
	| { end: 'reported'; report: Report; facts: Pick<FailureFacts, 'code' | 'type' | 'gatewayMessage'> };

/** Everything that is known about one attempt, before it is judged. */
export type Evidence = Asked & End;
