/** One server-sent event. */
export interface StreamEvent {
	/** The `event:` line, if the format has one. */
	name?: string;
	data: object | string;
}
