/** Joined audio: the pieces of one file in their order (most of them lie in the parts they came from). */
export interface Sound {
	chunks: Buffer[];
	durationSeconds: number;
}
