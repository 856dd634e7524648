//! Many ids at a time: eight by AVX2 where the processor has it, one by one elsewhere.
//!
//! The only `unsafe` code of the crate: intrinsics, of an instruction set whose presence was asked for. None of them touches
//! memory. The scalar form is the oracle of the tests.

use crate::uuid::Words;
use crate::v47::V47;

/// Flips the time of all ids, and sets their version.
pub(crate) fn flip_all(mask: &V47, ids: &mut [[u8; 16]], version: u64) {
    #[cfg(target_arch = "x86_64")]
    let ids = avx2::flip_chunks(mask, ids, version);
    for id in ids {
        *id = mask.flip(Words::of(*id)).with_version(version).to_bytes();
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics of an instruction set that only some processors have")]
#[allow(unused_unsafe, reason = "before Rust 1.87 intrinsics are unsafe in functions of their own instruction set too")]
mod avx2 {
    use core::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_shuffle_epi32,
        _mm256_slli_epi64, _mm256_srli_epi64, _mm256_xor_si256,
    };

    use crate::uuid::Words;
    use crate::v47::V47;

    /// Lanes of a vector.
    const WIDTH: usize = 4;
    /// Two vectors: while the one waits for its last instruction, the other has its turn.
    const VECTORS: usize = 2;
    const LANES: usize = WIDTH * VECTORS;

    cpufeatures::new!(has_avx2, "avx2");

    /// Flips as many ids as whole chunks hold, if the processor can; what is left comes back.
    pub(super) fn flip_chunks<'a>(mask: &V47, ids: &'a mut [[u8; 16]], version: u64) -> &'a mut [[u8; 16]] {
        if ids.len() < LANES || !has_avx2::get() {
            return ids;
        }
        let (chunks, rest) = ids.split_at_mut(ids.len() - ids.len() % LANES);
        for chunk in chunks.chunks_exact_mut(LANES) {
            // SAFETY: the processor has AVX2, which is all that the function asks for.
            unsafe { flip_chunk(mask, chunk, version) };
        }
        rest
    }

    /// Flips the first eight ids of a chunk that has eight.
    #[target_feature(enable = "avx2")]
    unsafe fn flip_chunk(mask: &V47, chunk: &mut [[u8; 16]], version: u64) {
        let mut words = [Words::ZERO; LANES];
        let (mut first, mut last) = ([0; LANES], [0; LANES]);
        for (lane, id) in chunk.iter().take(LANES).enumerate() {
            words[lane] = Words::of(*id);
            [first[lane], last[lane]] = V47::message(words[lane]);
        }
        // SAFETY: AVX2 is there, by this function's own contract.
        let hashes = unsafe { hash(mask.keyed_state(), first, last) };
        for (lane, id) in chunk.iter_mut().take(LANES).enumerate() {
            *id = words[lane].with_time_flipped(hashes[lane]).with_version(version).to_bytes();
        }
    }

    /// The hashes of eight messages of two blocks.
    #[target_feature(enable = "avx2")]
    unsafe fn hash(state: [u64; 4], first: [u64; LANES], last: [u64; LANES]) -> [u64; LANES] {
        // SAFETY: AVX2 is there, by this function's own contract; the intrinsics work on values alone.
        unsafe {
            let mut lanes = [[_mm256_set1_epi64x(0); 4]; VECTORS];
            for lanes in &mut lanes {
                for (word, state) in lanes.iter_mut().zip(state) {
                    *word = _mm256_set1_epi64x(signed(state));
                }
            }
            for block in [first, last] {
                let block = [vector(&block, 0), vector(&block, WIDTH)];
                for (lanes, block) in lanes.iter_mut().zip(block) {
                    lanes[3] = _mm256_xor_si256(lanes[3], block);
                }
                rounds::<2>(&mut lanes);
                for (lanes, block) in lanes.iter_mut().zip(block) {
                    lanes[0] = _mm256_xor_si256(lanes[0], block);
                }
            }
            for lanes in &mut lanes {
                lanes[2] = _mm256_xor_si256(lanes[2], _mm256_set1_epi64x(0xff));
            }
            rounds::<4>(&mut lanes);
            let mut hashes = [0; LANES];
            for (hashes, [v0, v1, v2, v3]) in hashes.chunks_exact_mut(WIDTH).zip(lanes) {
                let hash = _mm256_xor_si256(_mm256_xor_si256(v0, v1), _mm256_xor_si256(v2, v3));
                hashes.copy_from_slice(&core::mem::transmute::<__m256i, [u64; WIDTH]>(hash));
            }
            hashes
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn vector(words: &[u64; LANES], from: usize) -> __m256i {
        let word = |lane: usize| signed(words[from + lane]);
        // SAFETY: AVX2 is there, by this function's own contract.
        unsafe { _mm256_set_epi64x(word(3), word(2), word(1), word(0)) }
    }

    /// `N` rounds.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn rounds<const N: usize>(lanes: &mut [[__m256i; 4]; VECTORS]) {
        for _ in 0..N {
            for [v0, v1, v2, v3] in &mut *lanes {
                // SAFETY: AVX2 is there, by this function's own contract.
                unsafe {
                    *v0 = _mm256_add_epi64(*v0, *v1);
                    *v2 = _mm256_add_epi64(*v2, *v3);
                    *v1 = _mm256_xor_si256(rotate::<13, 51>(*v1), *v0);
                    *v3 = _mm256_xor_si256(rotate::<16, 48>(*v3), *v2);
                    *v0 = _mm256_shuffle_epi32::<SWAP_HALVES>(*v0);
                    *v2 = _mm256_add_epi64(*v2, *v1);
                    *v0 = _mm256_add_epi64(*v0, *v3);
                    *v1 = _mm256_xor_si256(rotate::<17, 47>(*v1), *v2);
                    *v3 = _mm256_xor_si256(rotate::<21, 43>(*v3), *v0);
                    *v2 = _mm256_shuffle_epi32::<SWAP_HALVES>(*v2);
                }
            }
        }
    }

    /// The halves of each word change places: a rotation by 32.
    const SWAP_HALVES: i32 = 0b10_11_00_01;

    /// A rotation to the left by `LEFT`; `RIGHT` is 64 less that.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn rotate<const LEFT: i32, const RIGHT: i32>(words: __m256i) -> __m256i {
        const { assert!(LEFT + RIGHT == 64, "one rotation") };
        // SAFETY: AVX2 is there, by this function's own contract.
        unsafe { _mm256_or_si256(_mm256_slli_epi64::<LEFT>(words), _mm256_srli_epi64::<RIGHT>(words)) }
    }

    /// The same 64 bits as the intrinsics take them.
    fn signed(word: u64) -> i64 {
        i64::from_ne_bytes(word.to_ne_bytes())
    }
}
