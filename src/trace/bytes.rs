//! Numbers of varying length in byte streams: seven bits a byte, low bits first.

/// A few bytes that are put together before they go to a stream at once.
pub(super) struct Bytes {
    bytes: [u8; 32],
    len: usize,
}

impl Bytes {
    #[inline(always)]
    pub(super) const fn of(first: u8) -> Self {
        let mut bytes = [0; 32];
        bytes[0] = first;
        Self { bytes, len: 1 }
    }

    #[inline(always)]
    pub(super) const fn push(&mut self, byte: u8) {
        self.bytes[self.len & 31] = byte;
        self.len += 1;
    }

    #[inline(always)]
    pub(super) const fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.push(value as u8);
    }

    #[inline(always)]
    pub(super) const fn word(&mut self, value: u32) {
        let word = value.to_le_bytes();
        self.push(word[0]);
        self.push(word[1]);
        self.push(word[2]);
        self.push(word[3]);
    }

    /// Appends them: all at once, of which those beyond the last go again, as a copy of fixed length
    /// takes no call.
    #[inline(always)]
    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        let len = bytes.len() + self.len;
        bytes.extend_from_slice(&self.bytes);
        bytes.truncate(len);
    }
}

pub(super) fn write_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

pub(super) fn read_varint(bytes: &[u8], offset: &mut usize) -> u64 {
    let mut value = 0;
    let mut shift = 0;
    while let Some(byte) = bytes.get(*offset) {
        *offset += 1;
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 || shift > 63 {
            break;
        }
    }
    value
}

pub(super) const fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

pub(super) const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}
