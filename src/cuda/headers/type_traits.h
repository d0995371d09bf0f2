// <type_traits>: the part that kernels use. Names of namespace std are available without the header.

#define _GLIBCXX_TYPE_TRAITS 1

template <typename T, T Value> struct integral_constant {
    static constexpr T value = Value;
    typedef T value_type;
    __device__ constexpr operator T() const { return Value; }
    __device__ constexpr T operator()() const { return Value; }
};
template <bool Value> using bool_constant = integral_constant<bool, Value>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;

template <typename A, typename B> struct is_same : false_type {};
template <typename A> struct is_same<A, A> : true_type {};

template <typename T> struct remove_const { typedef T type; };
template <typename T> struct remove_const<const T> { typedef T type; };
template <typename T> struct remove_volatile { typedef T type; };
template <typename T> struct remove_volatile<volatile T> { typedef T type; };
template <typename T> struct remove_cv {
    typedef typename remove_const<T>::type __variable;
    typedef typename remove_volatile<__variable>::type type;
};
template <typename T> struct remove_reference { typedef T type; };
template <typename T> struct remove_reference<T &> { typedef T type; };
template <typename T> struct remove_reference<T &&> { typedef T type; };
template <typename T> struct add_lvalue_reference { typedef T &type; };
template <typename T> struct add_rvalue_reference { typedef T &&type; };
template <typename T> struct remove_cvref {
    typedef typename remove_reference<T>::type __object;
    typedef typename remove_cv<__object>::type type;
};
template <typename T> struct remove_extent { typedef T type; };
template <typename T, size_t Size> struct remove_extent<T[Size]> { typedef T type; };
template <typename T> struct remove_pointer { typedef T type; };
template <typename T> struct remove_pointer<T *> { typedef T type; };
template <typename T> struct add_pointer { typedef T *type; };
template <typename T> struct add_const { typedef const T type; };
template <typename T> struct decay { typedef typename remove_cvref<T>::type type; };
template <typename T> struct type_identity { typedef T type; };

template <bool Condition, typename Then, typename Else> struct conditional { typedef Then type; };
template <typename Then, typename Else> struct conditional<false, Then, Else> { typedef Else type; };
template <bool Condition, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { typedef T type; };

template <typename T> struct is_integral : false_type {};
#define __WS_INTEGRAL(T, S, U) \
    template <> struct is_integral<T> : true_type {}; \
    template <> struct is_integral<const T> : true_type {}; \
    template <> struct make_signed<T> { typedef S type; }; \
    template <> struct make_unsigned<T> { typedef U type; };
template <typename T> struct make_signed;
template <typename T> struct make_unsigned;
__WS_INTEGRAL(char, signed char, unsigned char)
__WS_INTEGRAL(unsigned char, signed char, unsigned char)
__WS_INTEGRAL(short, short, unsigned short)
__WS_INTEGRAL(unsigned short, short, unsigned short)
__WS_INTEGRAL(int, int, unsigned)
__WS_INTEGRAL(unsigned, int, unsigned)
__WS_INTEGRAL(long long, long long, unsigned long long)
__WS_INTEGRAL(unsigned long long, long long, unsigned long long)
template <> struct is_integral<bool> : true_type {};

template <typename T> struct is_floating_point : false_type {};
template <> struct is_floating_point<float> : true_type {};
template <> struct is_floating_point<double> : true_type {};
template <> struct is_floating_point<const float> : true_type {};
template <> struct is_floating_point<const double> : true_type {};
template <typename T>
struct is_arithmetic : integral_constant<bool, (is_integral<T>::value || is_floating_point<T>::value)> {};
template <typename T, bool IsNumber> struct __ws_is_signed : false_type {};
template <typename T> struct __ws_is_signed<T, true> : integral_constant<bool, (T(-1) < T(0))> {};
template <typename T> struct is_signed : __ws_is_signed<T, is_arithmetic<T>::value> {};
template <typename T>
struct is_unsigned : integral_constant<bool, (is_integral<T>::value && !is_signed<T>::value)> {};
template <typename T> struct is_void : false_type {};
template <> struct is_void<void> : true_type {};
template <typename T> struct is_pointer : false_type {};
template <typename T> struct is_pointer<T *> : true_type {};
template <typename T> struct is_reference : false_type {};
template <typename T> struct is_reference<T &> : true_type {};
template <typename T> struct is_reference<T &&> : true_type {};
template <typename T> struct is_rvalue_reference : false_type {};
template <typename T> struct is_rvalue_reference<T &&> : true_type {};
template <typename T> struct is_lvalue_reference : false_type {};
template <typename T> struct is_lvalue_reference<T &> : true_type {};
template <typename T> struct is_array : false_type {};
template <typename T, size_t Size> struct is_array<T[Size]> : true_type {};
template <typename T> struct extent : integral_constant<size_t, 0> {};
template <typename T, size_t Size> struct extent<T[Size]> : integral_constant<size_t, Size> {};
template <typename T> struct is_volatile : false_type {};
template <typename T> struct is_volatile<volatile T> : true_type {};
template <typename T> struct is_const : false_type {};
template <typename T> struct is_const<const T> : true_type {};

// The common arithmetic type of two number types; 0 is not a number type.
template <int Rank> struct __ws_of_rank {};
template <typename T> struct __ws_rank : integral_constant<int, 0> {};
#define __WS_RANK(T, RANK) \
    template <> struct __ws_rank<T> : integral_constant<int, RANK> {};
#define __WS_OF_RANK(T, RANK) \
    __WS_RANK(T, RANK) \
    template <> struct __ws_of_rank<RANK> { typedef T type; };
__WS_RANK(bool, 1)
__WS_RANK(char, 1)
__WS_RANK(signed char, 1)
__WS_RANK(unsigned char, 1)
__WS_RANK(short, 1)
__WS_RANK(unsigned short, 1)
__WS_OF_RANK(int, 1)
__WS_OF_RANK(unsigned, 2)
__WS_OF_RANK(long long, 3)
__WS_OF_RANK(unsigned long long, 4)
__WS_OF_RANK(float, 5)
__WS_OF_RANK(double, 6)
template <typename A, typename B = A>
struct common_type
    : __ws_of_rank<(__ws_rank<A>::value == 0 || __ws_rank<B>::value == 0 ? 0
                    : __ws_rank<A>::value > __ws_rank<B>::value          ? __ws_rank<A>::value
                                                                         : __ws_rank<B>::value)> {};
template <typename T> struct common_type<T, T> { typedef T type; };

template <size_t Size, size_t Align = 8> struct aligned_storage {
    struct type {
        alignas(Align) unsigned char data[Size];
    };
};

template <bool Condition, typename T = void> using enable_if_t = typename enable_if<Condition, T>::type;
template <bool Condition, typename Then, typename Else>
using conditional_t = typename conditional<Condition, Then, Else>::type;
template <typename T> using remove_const_t = typename remove_const<T>::type;
template <typename T> using remove_cv_t = typename remove_cv<T>::type;
template <typename T> using remove_reference_t = typename remove_reference<T>::type;
template <typename T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <typename T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T> using remove_volatile_t = typename remove_volatile<T>::type;
template <typename T> using remove_cvref_t = typename remove_cvref<T>::type;
template <typename T> using remove_extent_t = typename remove_extent<T>::type;
template <typename T> using add_pointer_t = typename add_pointer<T>::type;
template <typename T> using add_const_t = typename add_const<T>::type;
template <typename T> using type_identity_t = typename type_identity<T>::type;
template <size_t Size, size_t Align = 8> using aligned_storage_t = typename aligned_storage<Size, Align>::type;
template <typename A, typename B = void, typename C = void, typename D = void> using void_t = void;
template <typename T> using decay_t = typename decay<T>::type;
template <typename T> using make_signed_t = typename make_signed<T>::type;
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;
template <typename A, typename B> using common_type_t = typename common_type<A, B>::type;
template <typename A, typename B> constexpr bool is_same_v = is_same<A, B>::value;
template <typename T> constexpr bool is_integral_v = is_integral<T>::value;
template <typename T> constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T> constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <typename T> constexpr bool is_signed_v = is_signed<T>::value;
template <typename T> constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <typename T> constexpr bool is_pointer_v = is_pointer<T>::value;
template <typename T> constexpr bool is_void_v = is_void<T>::value;
template <typename T> constexpr bool is_const_v = is_const<T>::value;
template <typename T> constexpr bool is_reference_v = is_reference<T>::value;
template <typename T> constexpr bool is_array_v = is_array<T>::value;
