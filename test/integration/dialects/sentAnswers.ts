/** What a server in this process sent for one request, faults included. */
export interface SentAnswer {
	/** The beginning of the body, as on the network. */
	readonly beginning: Buffer;
	/** SHA-256 of the body, as far as it was sent, as on the network. */
	readonly digest: string;
	/** Whether the body was sent to its end. */
	readonly isComplete: boolean;
}
