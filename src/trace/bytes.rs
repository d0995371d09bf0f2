//! Numbers of varying length in byte streams: seven bits a byte, low bits first.

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
