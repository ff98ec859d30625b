import type { IDataObject } from 'n8n-workflow';

/** Says what a request does: `generate` is paid for but creates nothing permanent, `create` creates a task or a voice. */
export type Repeatability = 'read' | 'generate' | 'create';

/** Describes a failure, as plain data. */
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
	/** Id of an asynchronous task that was already submitted. */
	taskId?: string;
	/** Keeps what was received before the response was cut off, or other results that must not be lost. */
	partial?: IDataObject;
	/** Where a fault of this package was found. */
	stack?: string;
}

/** Describes a response that reports no success, with its status or with an error inside status 200. */
export interface Report {
	/** Of the response, or of the envelope inside it. */
	status: number;
	/** True if the body is the error object of a gateway (interface, 2.11), which proxies do not send. */
	hasErrorObject: boolean;
	isWebPage: boolean;
	/** True if a result stands beside the error, or was passed on before it. */
	hasResult: boolean;
	/** The time that it asks to wait, in milliseconds. */
	waitMs?: number;
	/** In how many milliseconds a limit begins anew, which many responses say. */
	resetMs?: number;
}

/** Describes a request. */
export interface Asked {
	does: Repeatability;
	/** True if such requests are paid for; also those of utilities, which only read. */
	isPaid: boolean;
	/** True if the gateway recognizes a repetition, so that it costs nothing. */
	hasIdempotencyKey: boolean;
	/** True if a file of a result is downloaded. */
	isFile: boolean;
	/** True if somebody has seen a part of the answer, so that it must not begin again. */
	isShown: boolean;
}

/** Says how one attempt of a request has ended. `isSent` is true if anything of it may have been sent. */
export type End =
	/** Code of this package has thrown; `hasSucceeded` is true if a response with a status of success had arrived. */
	| { end: 'fault'; isSent: boolean; hasSucceeded: boolean }
	| { end: 'stopped'; isSent: boolean }
	/** `forbidden` is what n8n or Node.js refuses to send. */
	| { end: 'forbidden' | 'notConnected' | 'lost' }
	/** With the words of the response. */
	| { end: 'reported'; report: Report; facts: Pick<FailureFacts, 'code' | 'type' | 'gatewayMessage'> };

/** Describes what one attempt of a request has left behind, without a judgement. */
export type Evidence = Asked & End;
